import type { Message, Part } from '../../core/conversation/message.ts';
import type { DecodeNote } from '../../core/format.ts';

/** A decoded message and its index in the wire's list, which notes speak of. */
export interface Numbered {
  readonly index: number;
  readonly message: Message;
}

/** Messages after a mending step, and what it did. */
export interface Mended {
  readonly items: readonly Numbered[];
  readonly notes: readonly DecodeNote[];
}

/**
 * The message with other parts, to be encoded anew. Unlike an edit of a compaction it stands for nothing: a mended
 * message *is* the history, the broken one is gone.
 */
export function mended(message: Message, parts: readonly Part[]): Message {
  const base = message.raw ?? message.base;
  return { role: message.role, parts, ...(base === undefined ? {} : { base }) };
}

/** True when a provider would find something to read; reasoning alone is not content. */
export function hasContent(message: Message): boolean {
  return message.parts.some((part) => (part.type === 'text' ? part.text !== '' : part.type !== 'reasoning'));
}

/** True when the message says nothing at all and can only be left out. */
export function isVoid(message: Message): boolean {
  return !hasContent(message) && !message.parts.some((part) => part.type === 'reasoning');
}
