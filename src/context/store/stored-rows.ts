import type { Message } from '../../core/conversation/message.ts';
import { redactText } from '../../core/redact/redact.ts';
import type { IndexedChunk } from '../../core/search/search-index.ts';
import type { TimelineEvent } from '../timeline/event.ts';
import type { Row } from '../timeline/timeline-data.ts';
import { fromPiece, toPiece } from './piece.ts';
import type { StoredEvent, StoredMessage } from './store.ts';

/** Returns the value to store; the same value when it holds no secret. */
export type Redactor = (value: unknown) => unknown;

/** Replaces secrets in every string, for hosts that must not store them. This cannot be undone. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(redactValue);
  if (value instanceof Uint8Array || value instanceof URL) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactValue(each)]));
}

export function storedRow(row: Row, chunks: readonly IndexedChunk[], redact: Redactor): StoredMessage {
  // A message that is shown unchanged shares its wire object; a trimmed message has none.
  const value =
    row.shown.raw === undefined && row.message.raw !== undefined
      ? { m: row.message, s: redact(row.shown) }
      : { m: row.message };
  return { ...toPiece(value), at: row.at, chunks };
}

export function rowOf(stored: StoredMessage): Row {
  const { m: message, s: shown } = fromPiece(stored) as { readonly m: Message; readonly s?: Message };
  return { message, shown: shown ?? message, at: stored.at };
}

export function storedEvent(event: TimelineEvent, redact: Redactor): StoredEvent {
  return { ...toPiece(redact(event)), at: event.at };
}

export function eventOf(stored: StoredEvent): TimelineEvent {
  return fromPiece(stored) as TimelineEvent;
}
