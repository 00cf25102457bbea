import type { Conversation } from '../../core/conversation/conversation.ts';
import { checkSound, type SoundConversation } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Format } from '../../core/format.ts';
import { isRecord } from '../guards.ts';
import { bridges } from './bridges.ts';
import type { Bridge, Lose } from './plain.ts';
import { listed, toPlain } from './to-plain.ts';

/** Something of the conversation that did not come over. */
export interface Loss {
  /** Index of the message in the conversation that was given, -1 for the conversation as a whole. */
  readonly message: number;
  readonly text: string;
}

export interface Converted {
  /** The value as the other format writes it. */
  readonly wire: unknown;
  /** The same, read by the other format. */
  readonly conversation: SoundConversation;
  /** What was lost, in the order of the messages. Empty when everything came over. */
  readonly losses: readonly Loss[];
}

/**
 * The messages of a conversation in another format, and all that this format cannot hold. Words, calls and results come over; signatures,
 * parts that only one provider knows, and settings of the request do not. A conversation of that very format comes back as it is.
 *
 * @example
 * ```ts
 * const { conversation } = openaiChat.decode(messages);
 * const { wire, losses } = convert(conversation, anthropic);
 * ```
 */
export function convert(conversation: Conversation, to: Format): Converted {
  if (conversation.format === to.id) return finish(conversation, to, []);
  const target = bridgeOf(to.id);
  if (target === null)
    throw new PrecisError(
      'bad-option',
      `Expected \`to\` to be one of ${bridges.map((bridge) => bridge.id).join(', ')}, got \`${to.id}\``,
      { format: to.id },
    );
  // By message and sentence, so that a message with two images says once what becomes of images.
  const losses = new Map<string, Loss>();
  const lose: Lose = (message, text) => void losses.set(`${message} ${text}`, { message, text });
  const source = bridgeOf(conversation.format);
  sayAround(conversation, source?.holds ?? ['messages', 'system'], lose);
  const plain = toPlain(conversation, source, lose);
  const { conversation: built, notes } = to.decode(target.build(plain, lose));
  for (const note of notes) lose(-1, `message ${note.message + 1} of the result: ${note.text}`);
  return finish(built, to, [...losses.values()]);
}

function bridgeOf(id: string): Bridge | null {
  return bridges.find((bridge) => bridge.id === id) ?? null;
}

function finish(conversation: Conversation, to: Format, losses: readonly Loss[]): Converted {
  const checked = checkSound(conversation, to);
  if (checked.type === 'unsound') {
    const [issue] = checked.issues;
    throw new PrecisError('unsound', `the result breaks ${issue?.rule}: ${issue?.text}`, { issues: checked.issues });
  }
  const inOrder = losses.toSorted((one, other) => one.message - other.message);
  return { wire: to.encode(checked.conversation), conversation: checked.conversation, losses: inOrder };
}

/** The request around the messages belongs to its provider; the history of a view stays behind with its format. */
function sayAround({ envelope, history, messages }: Conversation, holds: readonly string[], lose: Lose): void {
  // The system prompt beside the messages is a message of the conversation.
  const settings = isRecord(envelope) ? Object.keys(envelope).filter((key) => !holds.includes(key)) : [];
  if (settings.length > 0)
    lose(
      -1,
      `of the request around the messages, ${listed(settings)} ${settings.length === 1 ? 'is' : 'are'} left out`,
    );
  if (history !== undefined && history !== messages) lose(-1, 'the history behind the view is left out');
}
