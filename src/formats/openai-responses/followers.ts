import type { Message } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import type { ResponsesItem } from './wire.ts';

/** The items a message was made from, in order; none for a message that is not from the wire. */
export function itemsOf(message: Message): readonly ResponsesItem[] {
  const source = message.raw ?? message.base;
  if (Array.isArray(source)) return source.filter(isRecord);
  return isRecord(source) ? [source] : [];
}

/** True when the message keeps reasoning but not every item that came with it (RESP-3). */
export function lacksFollower(message: Message): boolean {
  if (message.raw !== undefined || !message.parts.some((part) => part.type === 'reasoning')) return false;
  const kept = new Set(message.parts.map((part) => part.raw ?? part.base));
  return itemsOf(message).some((item) => !kept.has(item) && !contentOf(item).some((part) => kept.has(part)));
}

/** True when the message came with reasoning that it no longer has. */
export function lostReasoning(message: Message): boolean {
  const kept = new Set(message.parts.map((part) => part.raw));
  return itemsOf(message).some((item) => item.type === 'reasoning' && !kept.has(item));
}

/** The parts of an item's content; none for a plain text. */
export function contentOf(item: ResponsesItem): readonly unknown[] {
  return Array.isArray(item.content) ? item.content : [];
}
