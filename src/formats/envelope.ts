import { isRecord, messageListOf } from './guards.ts';

/** Returns the wire value itself when nothing changed, else a shallow copy with other messages. */
export function withMessages(envelope: unknown, messages: readonly unknown[]): unknown {
  if (isSameList(messageListOf(envelope), messages)) return envelope;
  return isRecord(envelope) ? { ...envelope, messages } : messages;
}

/** Says whether both lists hold the same objects, so that nothing was edited. */
export function isSameList(before: readonly unknown[] | null, after: readonly unknown[]): boolean {
  return before?.length === after.length && after.every((value, index) => value === before[index]);
}
