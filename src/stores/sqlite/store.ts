import { resolve } from 'node:path';
import type { ContextInfo, Store, StoredContext } from '../../context/store/store.ts';
import { NAME_PLACE, openContext } from './context.ts';
import { cellIn, numberIn } from './file/cell.ts';
import { type Connection, connect } from './file/connection.ts';
import { collect, type GcOptions, type GcReport } from './gc.ts';
import { resolveOptions, type SqliteOptions } from './options.ts';

/** A store in one SQLite file. */
export interface SqliteStore extends Store {
  /** Absolute path of the file. */
  readonly path: string;
  /** Removes contexts and the contents that only they used, and releases the space; see `gc`. */
  gc(options: GcOptions): Promise<GcReport>;
}

/**
 * A store in one SQLite file, which several processes may use at once. The first call opens the file, and creates it if necessary; a call
 * after `close` opens it again.
 *
 * @example
 * ```ts
 * const store = sqliteStore('contexts.db');
 * const context = await store.open('my-agent', 'write');
 * ```
 */
export function sqliteStore(path: string, options: SqliteOptions = {}): SqliteStore {
  const resolved = resolveOptions(path, options);
  const file = resolve(path);
  const open = new Set<StoredContext>();
  let connecting: Promise<Connection> | null = null;
  const connection = (): Promise<Connection> => {
    connecting ??= connect(file, resolved).catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  };
  return {
    path: file,
    async open(id, access) {
      const context = await openContext(await connection(), id, access);
      open.add(context);
      return { ...context, close: () => context.close().finally(() => open.delete(context)) };
    },
    contexts: async () => infosOf(await connection()),
    gc: async (gcOptions) => collect(await connection(), gcOptions),
    async close() {
      if (connecting === null) return;
      const closing = connecting;
      for (const context of open) await context.close();
      open.clear();
      connecting = null;
      (await closing).close();
    },
  };
}

function infosOf(connection: Connection): Promise<readonly ContextInfo[]> {
  return connection.read(() =>
    connection
      .sql('SELECT name, messages, events, first_at, last_at FROM contexts ORDER BY id')
      .all()
      .map((row) => ({
        id: connection.seal.read(cellIn(row['name']), NAME_PLACE),
        messages: numberIn(row['messages']),
        events: numberIn(row['events']),
        firstAt: row['first_at'] === null ? null : numberIn(row['first_at']),
        lastAt: row['last_at'] === null ? null : numberIn(row['last_at']),
      })),
  );
}
