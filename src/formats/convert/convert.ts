import type { Conversation } from '../../core/conversation/conversation.ts';
import { checkSound, type SoundConversation } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Format } from '../../core/format.ts';
import { isRecord } from '../guards.ts';
import { bridges } from './bridges.ts';
import type { Bridge, Lose } from './plain.ts';
import { listed, toPlain } from './to-plain.ts';

/** Something of the conversation that the other format cannot hold. */
export interface Loss {
  /** Index of the message in the conversation that was given; -1 for the conversation as a whole. */
  readonly message: number;
  /** A sentence for people, e.g. `the signature of the reasoning is left out; its text is kept`. */
  readonly text: string;
}

/** A conversation in another format. */
export interface Converted {
  /** The messages on the wire of the other format. */
  readonly wire: unknown;
  /** The same messages, decoded by the other format. */
  readonly conversation: SoundConversation;
  /** All that was lost, in message order; losses of the whole conversation come first. Empty when everything came over. */
  readonly losses: readonly Loss[];
}

/**
 * Converts a conversation to another format, and lists all that this format cannot hold. Words, calls and results come over; signatures, parts
 * that only one provider knows, and request settings do not. A conversation that already is in that format comes back as it is.
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
  // Keyed by message and sentence: a message with two images notes the loss once.
  const losses = new Map<string, Loss>();
  const lose: Lose = (message, text) => void losses.set(`${message} ${text}`, { message, text });
  const source = bridgeOf(conversation.format);
  noteSurroundings(conversation, source?.holds ?? ['messages', 'system'], lose);
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

/** Notes the request settings, which belong to their provider, and the history behind a view, which stays in its format. */
function noteSurroundings({ envelope, history, messages }: Conversation, holds: readonly string[], lose: Lose): void {
  // The system prompt next to the messages is a message of the conversation, so it is not lost.
  const settings = isRecord(envelope) ? Object.keys(envelope).filter((key) => !holds.includes(key)) : [];
  if (settings.length > 0)
    lose(
      -1,
      `of the request around the messages, ${listed(settings)} ${settings.length === 1 ? 'is' : 'are'} left out`,
    );
  if (history !== undefined && history !== messages) lose(-1, 'the history behind the view is left out');
}
