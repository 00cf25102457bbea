import type { Message } from '../../core/conversation/message.ts';
import type { DecodeNote } from '../../core/format.ts';

/** A decoded message and its index on the wire, for notes. */
export interface Numbered {
  readonly index: number;
  readonly message: Message;
}

/** The messages after a repair, and notes about it. */
export interface Mended {
  readonly items: readonly Numbered[];
  readonly notes: readonly DecodeNote[];
}

/** True when the message has content for a provider; reasoning alone does not count. */
export function hasContent(message: Message): boolean {
  return message.parts.some((part) => (part.type === 'text' ? part.text !== '' : part.type !== 'reasoning'));
}

/** True when the message holds nothing at all, so that it can only be dropped. */
export function isVoid(message: Message): boolean {
  return !hasContent(message) && !message.parts.some((part) => part.type === 'reasoning');
}
