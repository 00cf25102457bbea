import { resolve } from 'node:path';
import type { SQLOutputValue } from 'node:sqlite';
import { PrecisError } from '../../core/errors.ts';
import { NAME_PLACE } from './context.ts';
import { cellIn, numberIn } from './file/cell.ts';
import { type Connection, connect } from './file/connection.ts';
import { isBusy } from './file/failure.ts';
import { fileBytes, usedBytes } from './file/size.ts';
import { isHeld } from './lease.ts';
import { resolveOptions, type SqliteOptions } from './options.ts';
import { dropChunks } from './search.ts';

/** Selects the contexts to remove. Without any of the first three options no context is removed, and only unused space is released. */
export interface GcOptions {
  /** Only contexts without a write for this long, in milliseconds. @default undefined: any age */
  readonly olderThanMs?: number;
  /**
   * Stop once the file would be at most this large, in bytes. Contexts with the oldest writes go first.
   * @default undefined: remove every context that qualifies
   */
  readonly maxBytes?: number;
  /** Only contexts with these ids. @default undefined: any id */
  readonly contexts?: readonly string[];
  /** True to report what would be removed, and change nothing. */
  readonly dryRun: boolean;
}

/** A context that was removed, or would be. */
export interface Collected {
  /** Id of the context. */
  readonly id: string;
  /** Number of its messages. */
  readonly messages: number;
  /** Number of its events. */
  readonly events: number;
  /** Stored size of its own messages, events and state, and of contents that no other context uses, in bytes. */
  readonly bytes: number;
}

/** What a garbage collection removed, or a dry run would remove. */
export interface GcReport {
  /** The removed contexts, oldest write first. */
  readonly removed: readonly Collected[];
  /** Ids of contexts that stay because they are being written to. */
  readonly held: readonly string[];
  /** Long texts that no context uses any more, and their stored size in bytes. */
  readonly contents: { readonly count: number; readonly bytes: number };
  /** Size of the file before, in bytes. */
  readonly bytesBefore: number;
  /** Size of the file afterwards, in bytes; an estimate after a dry run. */
  readonly bytesAfter: number;
  /** False when the freed space stays in the file for later use: after a dry run, or when other processes kept the file busy. */
  readonly isShrunk: boolean;
}

/**
 * Removes contexts from a store or a file, and the contents that no other context uses. A context that is being written to stays. It is one
 * transaction, which a dry run rolls back.
 */
export async function gc(
  target: string | { gc(options: GcOptions): Promise<GcReport> },
  options: GcOptions & Pick<SqliteOptions, 'key' | 'busyMs' | 'now'>,
): Promise<GcReport> {
  if (typeof target !== 'string') return target.gc(options);
  const { key, busyMs, now } = options;
  const own = { key, ...(busyMs === undefined ? {} : { busyMs }), ...(now === undefined ? {} : { now }) };
  const connection = await connect(resolve(target), resolveOptions(target, own));
  try {
    return await collect(connection, options);
  } finally {
    connection.close();
  }
}

/** Carries the report out of the transaction that a dry run rolls back. */
class DryRun extends Error {
  readonly report: GcReport;
  constructor(report: GcReport) {
    super('dry run');
    this.report = report;
  }
}

export async function collect(connection: Connection, options: GcOptions): Promise<GcReport> {
  checkOptions(options);
  try {
    const report = await connection.write(() => {
      const done = removeContexts(connection, options);
      if (options.dryRun) throw new DryRun(done);
      return done;
    });
    return await shrink(connection, report);
  } catch (error) {
    if (error instanceof DryRun) return error.report;
    throw error;
  }
}

function removeContexts(connection: Connection, { olderThanMs, maxBytes, contexts }: GcOptions): GcReport {
  const { sql, seal, options } = connection;
  const now = options.now();
  const bytesBefore = fileBytes(connection);
  const isAsked = olderThanMs !== undefined || maxBytes !== undefined || contexts !== undefined;
  const wanted = contexts === undefined ? null : new Set(contexts);
  const removed: Collected[] = [];
  const held: string[] = [];
  let contents = { count: 0, bytes: 0 };
  const rows = isAsked ? sql('SELECT * FROM contexts ORDER BY max(ifnull(last_at, made_at), made_at), id').all() : [];
  for (const row of rows) {
    if (maxBytes !== undefined && usedBytes(connection) <= maxBytes) break;
    const id = seal.read(cellIn(row['name']), NAME_PLACE);
    if (wanted !== null && !wanted.has(id)) continue;
    if (olderThanMs !== undefined && now - lastUse(row) < olderThanMs) continue;
    if (isHeld(row, now)) {
      held.push(id);
      continue;
    }
    const { own, freed } = removeContext(connection, numberIn(row['id']));
    contents = { count: contents.count + freed.count, bytes: contents.bytes + freed.bytes };
    if (maxBytes !== undefined) mergeIndex(connection);
    removed.push({
      id,
      messages: numberIn(row['messages']),
      events: numberIn(row['events']),
      bytes: own + freed.bytes,
    });
  }
  mergeIndex(connection);
  return { removed, held, contents, bytesBefore, bytesAfter: usedBytes(connection), isShrunk: false };
}

/** The index releases space only when it is merged. */
function mergeIndex({ sql }: Connection): void {
  sql("INSERT INTO search (search) VALUES ('optimize')").run();
}

/** Time of the last write by the clock of the messages, or of creation when there was none. */
function lastUse(row: Readonly<Record<string, SQLOutputValue>>): number {
  return Math.max(numberIn(row['last_at'] ?? row['made_at']), numberIn(row['made_at']));
}

interface Freed {
  readonly count: number;
  readonly bytes: number;
}

function removeContext(connection: Connection, context: number): { readonly own: number; readonly freed: Freed } {
  const { sql } = connection;
  const own = sql(
    `SELECT (SELECT ifnull(sum(octet_length(body)), 0) FROM messages WHERE context = ?) +
            (SELECT ifnull(sum(octet_length(body)), 0) FROM events WHERE context = ?) +
            (SELECT ifnull(octet_length(state), 0) FROM contexts WHERE id = ?) AS bytes`,
  ).get(context, context, context);
  const lonely = `SELECT content FROM uses AS mine WHERE context = ? AND
    NOT EXISTS (SELECT 1 FROM uses AS other WHERE other.content = mine.content AND other.context <> mine.context)`;
  const freed = sql(
    `SELECT count(*) AS count, ifnull(sum(octet_length(text)), 0) AS bytes FROM contents WHERE id IN (${lonely})`,
  ).get(context);
  sql(`DELETE FROM contents WHERE id IN (${lonely})`).run(context);
  sql('DELETE FROM uses WHERE context = ?').run(context);
  sql('DELETE FROM messages WHERE context = ?').run(context);
  sql('DELETE FROM events WHERE context = ?').run(context);
  dropChunks(connection, context);
  sql('DELETE FROM contexts WHERE id = ?').run(context);
  return {
    own: numberIn(own?.['bytes']),
    freed: { count: numberIn(freed?.['count']), bytes: numberIn(freed?.['bytes']) },
  };
}

/** Gives the space back to the system. The contexts are already removed, so a busy file is no failure. */
async function shrink(connection: Connection, report: GcReport): Promise<GcReport> {
  let isShrunk = false;
  try {
    await connection.outside('VACUUM');
    // A concurrent reader makes this busy, which is no error.
    isShrunk = connection.sql('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch (error) {
    if (!PrecisError.is(error) && !isBusy(error)) throw error;
  }
  return { ...report, bytesAfter: await connection.read(() => fileBytes(connection)), isShrunk };
}

function checkOptions({ olderThanMs, maxBytes }: GcOptions): void {
  for (const [name, value] of Object.entries({ olderThanMs, maxBytes }))
    if (value !== undefined && !(value >= 0))
      throw new PrecisError(
        'bad-option',
        `Expected \`${name}\` to be a number from 0, got \`${value}\` (${typeof value})`,
        {
          option: name,
        },
      );
}
