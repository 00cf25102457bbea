import type { Conversation } from '../../core/conversation/conversation.ts';
import { withParts, withText } from '../../core/conversation/message.ts';
import { checkSound } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Format } from '../../core/format.ts';

/** A scrubbed session as evaluations read it: a header, then the messages in their own format. */
export type FixtureValue = Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };

/** The steps in order, the same for every session, so that a reader need not know the options. */
export const SCRUBBING_PASSES: readonly string[] = [
  'secrets replaced by [redacted: KIND]',
  'user names in paths replaced by user',
  'personal handles replaced by user, in every case variant',
  'e-mail addresses replaced by contributor@example.com, names of authors by Contributor',
  'reasoning and thinking blocks removed',
  'user mentions replaced by <@user>',
  'images and files replaced by their kind',
  'empty messages and results without a call removed',
];

const HEADER = [
  'name',
  'description',
  'model',
  'context_length',
  'source',
  'truncated_to',
  'scrubbing_passes',
] as const;

export interface HeaderInput {
  readonly name: string;
  readonly source: string;
  readonly passes: readonly string[];
}

/** The wire value of a conversation. Throws when it breaks a rule of its format, which means a bug. */
export function wireOf(conversation: Conversation, format: Format, name: string): unknown {
  const asIs = checkSound(conversation, format);
  const checked = asIs.type === 'sound' ? asIs : checkSound(withoutLastBlanks(conversation), format);
  if (checked.type === 'sound') return format.encode(checked.conversation);
  const [issue] = checked.issues;
  throw new PrecisError(
    'unsound',
    `${name}: expected a conversation that is sound, got one that breaks ${issue?.rule ?? 'a rule'}: ${issue?.text ?? ''}`,
  );
}

/** A session may be cut anywhere, and some providers refuse a last answer that ends in white space. */
function withoutLastBlanks(conversation: Conversation): Conversation {
  const last = conversation.messages.at(-1);
  const part = last?.parts.at(-1);
  if (last?.role !== 'assistant' || part?.type !== 'text') return conversation;
  const text = part.text.trimEnd();
  const parts = [...last.parts.slice(0, -1), ...(text === '' ? [] : [withText(part, text)])];
  const rest = conversation.messages.slice(0, -1);
  return { ...conversation, messages: parts.length === 0 ? rest : [...rest, withParts(last, parts)] };
}

/** The session with a complete header first and its messages last. */
export function fixtureOf(wire: unknown, { name, source, passes }: HeaderInput): FixtureValue {
  const around: Readonly<Record<string, unknown>> = Array.isArray(wire) ? { messages: wire } : { ...(wire as object) };
  const messages = around['messages'] as readonly unknown[];
  const header: Record<string, unknown> = {
    name: textOr(around['name'], name),
    description: textOr(around['description'], `Scrubbed session ${name}`),
    ...('model' in around ? { model: around['model'] } : {}),
    ...('context_length' in around ? { context_length: around['context_length'] } : {}),
    source: textOr(around['source'], source),
    truncated_to: typeof around['truncated_to'] === 'number' ? around['truncated_to'] : null,
    scrubbing_passes: around['scrubbing_passes'] ?? passes,
  };
  const rest = Object.entries(around).filter(([key]) => key !== 'messages' && !HEADER.some((known) => known === key));
  return { ...header, ...Object.fromEntries(rest), messages };
}

/** The text of the file: indented for review, with a line break at the end. */
export function fixtureText(value: FixtureValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}
