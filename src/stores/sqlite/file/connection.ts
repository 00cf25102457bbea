import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ResolvedOptions } from '../options.ts';
import type { Seal } from './crypt.ts';
import { asStoreError, isBusy } from './failure.ts';
import { openFile } from './open.ts';

/** An open file. Work on it is synchronous, so transactions of one process never mix. */
export interface Connection {
  readonly file: string;
  readonly seal: Seal;
  readonly options: ResolvedOptions;
  /** A prepared statement; each text is prepared once. */
  sql(text: string): StatementSync;
  /** Runs in a read transaction: it sees one state of the file and waits for no writer. */
  read<T>(work: () => T): Promise<T>;
  /** Runs in a write transaction: all of it is written or, when it throws, nothing. */
  write<T>(work: () => T): Promise<T>;
  /** Runs SQL that is not allowed in a transaction. */
  outside(sql: string): Promise<void>;
  close(): void;
}

export async function connect(file: string, options: ResolvedOptions): Promise<Connection> {
  const attempt = <T>(work: () => T | Promise<T>): Promise<T> => patiently(work, file, options.busyMs);
  const { database, seal } = await attempt(() => openFile(file, options));
  const statements = new Map<string, StatementSync>();
  return {
    file,
    seal,
    options,
    sql(text) {
      const known = statements.get(text) ?? database.prepare(text);
      statements.set(text, known);
      return known;
    },
    read: (work) => attempt(() => transaction(database, 'BEGIN', work)),
    write: (work) => attempt(() => transaction(database, 'BEGIN IMMEDIATE', work)),
    outside: (sql) => attempt(() => database.exec(sql)),
    close() {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
}

function transaction<T>(database: DatabaseSync, begin: string, work: () => T): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors, such as a full disk, have already ended the transaction.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** Retries while the file is busy. Random pauses keep two processes from colliding again and again. */
async function patiently<T>(work: () => T | Promise<T>, file: string, busyMs: number): Promise<T> {
  const end = performance.now() + busyMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw asStoreError(error, file);
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}
