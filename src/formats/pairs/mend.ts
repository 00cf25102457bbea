import type { Message } from '../../core/conversation/message.ts';
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

/** True when a provider would find something to read; reasoning alone is not content. */
export function hasContent(message: Message): boolean {
  return message.parts.some((part) => (part.type === 'text' ? part.text !== '' : part.type !== 'reasoning'));
}

/** True when the message says nothing at all and can only be left out. */
export function isVoid(message: Message): boolean {
  return !hasContent(message) && !message.parts.some((part) => part.type === 'reasoning');
}
