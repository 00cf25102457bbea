import type { Message } from '../../core/conversation/message.ts';
import { redactText } from '../../core/redact/redact.ts';
import type { IndexedChunk } from '../../core/search/search-index.ts';
import type { ContextEvent, Row } from '../timeline/timeline.ts';
import { fromPiece, toPiece } from './piece.ts';
import type { StoredEvent, StoredMessage } from './store.ts';

/** What is stored instead of a value; the same value when nothing is to be hidden. */
export type Hide = (value: unknown) => unknown;

/** Replaces secrets in every string, for those who rather lose them than keep them. What was hidden cannot be undone. */
export function hideSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (value instanceof Uint8Array || value instanceof URL) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hideSecrets(each)]));
}

export function storedRow(row: Row, chunks: readonly IndexedChunk[], hide: Hide): StoredMessage {
  // A message that is shown as it came has the object of its wire; one that was trimmed has none.
  const value =
    row.shown.raw === undefined && row.message.raw !== undefined
      ? { m: row.message, s: hide(row.shown) }
      : { m: row.message };
  return { ...toPiece(value), at: row.at, chunks };
}

export function rowOf(stored: StoredMessage): Row {
  const { m: message, s: shown } = fromPiece(stored) as { readonly m: Message; readonly s?: Message };
  return { message, shown: shown ?? message, at: stored.at };
}

export function storedEvent(event: ContextEvent, hide: Hide): StoredEvent {
  return { ...toPiece(hide(event)), at: event.at };
}

export function eventOf(stored: StoredEvent): ContextEvent {
  return fromPiece(stored) as ContextEvent;
}
