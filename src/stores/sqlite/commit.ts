import type { Batch } from '../../context/store/store.ts';
import { numberIn } from './file/cell.ts';
import type { Connection } from './file/connection.ts';
import { storeError } from './file/failure.ts';
import { fileBytes } from './file/size.ts';
import { type Lease, lostLease, renewLease } from './lease.ts';
import { insertPiece, statePlace } from './pieces.ts';
import { indexChunks } from './search.ts';

/** How much a context holds. Only its writer adds to it, so the writer knows. */
export interface Counts {
  readonly messages: number;
  readonly events: number;
}

export interface Writing {
  readonly context: number;
  readonly id: string;
  readonly lease: Lease;
  /** The counts after this writer's last commit. */
  readonly counts: Counts;
}

/** Call in a transaction. Writes the messages, then the events, then the state. Throws, and so writes nothing, when the lease is lost. */
export function writeBatch(connection: Connection, { context, id, lease, counts }: Writing, batch: Batch): Counts {
  const { sql, seal } = connection;
  if (!renewLease(connection, context, lease)) throw lostLease(connection, context, id);
  const row = sql('SELECT messages, events, chunks FROM contexts WHERE id = ?').get(context);
  if (row?.['messages'] !== counts.messages || row['events'] !== counts.events)
    throw lostLease(connection, context, id);
  let chunks = numberIn(row['chunks']);
  for (const [index, message] of batch.messages.entries()) {
    const seq = counts.messages + index;
    insertPiece(connection, { table: 'messages', context, seq }, message);
    chunks += indexChunks(connection, { context, message: seq, from: chunks }, message.chunks);
  }
  for (const [index, event] of batch.events.entries())
    insertPiece(connection, { table: 'events', context, seq: counts.events + index }, event);
  const next = { messages: counts.messages + batch.messages.length, events: counts.events + batch.events.length };
  sql('UPDATE contexts SET messages = ?, events = ?, chunks = ? WHERE id = ?').run(
    next.messages,
    next.events,
    chunks,
    context,
  );
  noteTimes(connection, context, batch);
  if (batch.state !== null)
    sql('UPDATE contexts SET state = ? WHERE id = ?').run(seal.write(batch.state, statePlace(context)), context);
  checkSize(connection);
  return next;
}

function noteTimes({ sql }: Connection, context: number, { messages, events }: Batch): void {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of [...messages, ...events]) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  if (first > last) return;
  // Node 22 cannot bind numbered parameters by position.
  sql(
    'UPDATE contexts SET first_at = min(ifnull(first_at, ?), ?), last_at = max(ifnull(last_at, ?), ?) WHERE id = ?',
  ).run(first, first, last, last, context);
}

function checkSize(connection: Connection): void {
  const { file, options } = connection;
  if (options.maxBytes === Number.POSITIVE_INFINITY) return;
  const bytes = fileBytes(connection);
  if (bytes <= options.maxBytes) return;
  throw storeError(
    file,
    `would grow to ${bytes} bytes, over \`maxBytes\` ${options.maxBytes}; nothing was written. Remove old contexts with gc(), or allow more`,
    { bytes, maxBytes: options.maxBytes },
  );
}
