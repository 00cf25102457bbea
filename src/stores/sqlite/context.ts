import type { Access, StoredContext, StoredState } from '../../context/store/store.ts';
import { PrecisError } from '../../core/errors.ts';
import { type Counts, writeBatch } from './commit.ts';
import { numberIn } from './file/cell.ts';
import type { Connection } from './file/connection.ts';
import { storeError } from './file/failure.ts';
import { type Lease, notWritable, releaseLease, renewLease, takeLease } from './lease.ts';
import { loadPieces, messagesAt } from './pieces.ts';
import { searchChunks } from './search.ts';

const NOTHING: StoredState = { messages: [], events: [], state: null };

/** Opens a context. A reader creates nothing, so a context without a writer yet reads as empty. */
export async function openContext(connection: Connection, id: string, access: Access): Promise<StoredContext> {
  if (access === 'write') return openWriter(connection, id);
  let isOpen = true;
  const reads = readsOf(connection, id, () => isOpen);
  return {
    id,
    access,
    ...reads,
    commit: async () => {
      throw notWritable(id);
    },
    close: async () => {
      isOpen = false;
    },
  };
}

interface Held {
  readonly context: number;
  readonly lease: Lease;
}

async function openWriter(connection: Connection, id: string): Promise<StoredContext> {
  const { held, counts: start } = await connection.write(() => {
    const context = contextOf(connection, id) ?? makeContext(connection, id);
    return { held: { context, lease: takeLease(connection, context, id) }, counts: countsOf(connection, context) };
  });
  const { context, lease } = held;
  const stopRenewing = keepRenewing(connection, held);
  let counts = start;
  let isOpen = true;
  // Commits keep their order even when the caller does not await them, and also when the first has to retry.
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
  return {
    id,
    access: 'write',
    ...readsOf(connection, id, () => isOpen),
    commit: (batch) =>
      inTurn(async () => {
        if (!isOpen) throw notWritable(id);
        counts = await connection.write(() => writeBatch(connection, { context, id, lease, counts }, batch));
      }),
    close: () =>
      inTurn(async () => {
        if (!isOpen) return;
        isOpen = false;
        stopRenewing();
        try {
          await connection.write(() => releaseLease(connection, context, lease));
        } catch (error) {
          // The file can no longer be written; the lease expires on its own.
          if (!PrecisError.is(error)) throw error;
        }
      }),
  };
}

type Reads = Pick<StoredContext, 'load' | 'loadAfter' | 'search' | 'messagesAt'>;

function readsOf(connection: Connection, id: string, isOpen: () => boolean): Reads {
  const read = async <T>(none: T, work: (context: number) => T): Promise<T> => {
    if (!isOpen()) throw storeError(connection.file, `has context ${id} closed; open it again`, { id });
    return connection.read(() => {
      const context = contextOf(connection, id);
      return context === null ? none : work(context);
    });
  };
  return {
    load: () => read(NOTHING, (context) => loadPieces(connection, context, { messages: 0, events: 0 })),
    loadAfter: (messages, events) => read(NOTHING, (context) => loadPieces(connection, context, { messages, events })),
    search: (words, limit) => read([], (context) => searchChunks(connection, context, { words, limit })),
    messagesAt: (indexes) => read([], (context) => messagesAt(connection, context, indexes)),
  };
}

/** Renews the lease of a writer that has nothing to commit; commits renew it too. The timer keeps no process alive. */
function keepRenewing(connection: Connection, { context, lease }: Held): () => void {
  const renew = async (): Promise<void> => {
    try {
      if (!(await connection.write(() => renewLease(connection, context, lease)))) clearInterval(timer);
    } catch {
      // Busy or full: the next turn retries, and a commit reports the problem.
    }
  };
  const timer = setInterval(() => void renew(), connection.options.leaseMs / RENEWALS);
  timer.unref();
  return () => clearInterval(timer);
}

/** One renewal may fail, and the next still comes in time. */
const RENEWALS = 3;

function contextOf({ sql, seal }: Connection, id: string): number | null {
  const row = sql('SELECT id FROM contexts WHERE key = ?').get(seal.hash(id));
  return row === undefined ? null : numberIn(row['id']);
}

function makeContext({ sql, seal, options }: Connection, id: string): number {
  const added = sql('INSERT INTO contexts (key, name, made_at) VALUES (?, ?, ?)').run(
    seal.hash(id),
    seal.write(id, NAME_PLACE),
    options.now(),
  );
  return Number(added.lastInsertRowid);
}

export const NAME_PLACE = 'name';

function countsOf({ sql }: Connection, context: number): Counts {
  const row = sql('SELECT messages, events FROM contexts WHERE id = ?').get(context);
  return { messages: numberIn(row?.['messages']), events: numberIn(row?.['events']) };
}
