import { resolve } from 'node:path';
import type { SQLOutputValue } from 'node:sqlite';
import { PrecisError } from '../../core/errors.ts';
import { cellIn, numberIn } from './cell.ts';
import { pragma } from './commit.ts';
import { type Connection, connect } from './connection.ts';
import { isBusy } from './failure.ts';
import { isHeld } from './lease.ts';
import { resolveOptions, type SqliteOptions } from './options.ts';
import { dropChunks } from './search.ts';

/** Who may go, and how many of them. Without any of the first three nobody goes, and only unused room is given back. */
export interface GcOptions {
  /**
   * Only contexts that nothing was written to for this long, in milliseconds.
   *
   * @default undefined: of any age
   */
  readonly olderThanMs?: number;
  /**
   * Only as many, those written to longest ago first, as it takes for the file to be at most this large, in bytes.
   *
   * @default undefined: all who may go
   */
  readonly maxBytes?: number;
  /**
   * Only these.
   *
   * @default undefined: any
   */
  readonly contexts?: readonly string[];
  /** Tell what would go, and change nothing. */
  readonly dryRun: boolean;
}

export interface Collected {
  readonly id: string;
  readonly messages: number;
  readonly events: number;
  /** Of its own pieces and of contents that no other context uses, as stored. */
  readonly bytes: number;
}

export interface GcReport {
  readonly removed: readonly Collected[];
  /** Contexts that were to go but are being written to. */
  readonly held: readonly string[];
  /** Long texts that nobody uses any more. */
  readonly contents: { readonly count: number; readonly bytes: number };
  /** Of the file; after a dry run the estimate of what it would be. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False when the room stays in the file, to be used again: it was a dry run, or others kept the file busy. */
  readonly isShrunk: boolean;
}

/**
 * Removes contexts from a store or a file, and with them the contents that nobody else uses. A context that is being written to stays. It is
 * one transaction; a dry run is the same one, taken back.
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

/** Carries the report out of a transaction that is taken back. */
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
  const bytesBefore = pragma(connection, 'page_count') * pragma(connection, 'page_size');
  const isAsked = olderThanMs !== undefined || maxBytes !== undefined || contexts !== undefined;
  const wanted = contexts === undefined ? null : new Set(contexts);
  const removed: Collected[] = [];
  const held: string[] = [];
  let contents = { count: 0, bytes: 0 };
  const rows = isAsked ? sql('SELECT * FROM contexts ORDER BY max(ifnull(last_at, made_at), made_at), id').all() : [];
  for (const row of rows) {
    if (maxBytes !== undefined && bytesUsed(connection) <= maxBytes) break;
    const id = seal.read(cellIn(row['name']), 'name');
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
  return { removed, held, contents, bytesBefore, bytesAfter: bytesUsed(connection), isShrunk: false };
}

/** The index gives room back only when it is merged. */
function mergeIndex({ sql }: Connection): void {
  sql("INSERT INTO search (search) VALUES ('optimize')").run();
}

/** When it was last written to, by the clock of the messages; made, when nothing was. */
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

/** Of the pages that hold something: what the file comes down to when it is shrunk. */
function bytesUsed(connection: Connection): number {
  const pages = pragma(connection, 'page_count') - pragma(connection, 'freelist_count');
  return pages * pragma(connection, 'page_size');
}

/** What was removed is removed; that the room could not be given back to the system now is no failure. */
async function shrink(connection: Connection, report: GcReport): Promise<GcReport> {
  let isShrunk = false;
  try {
    await connection.outside('VACUUM');
    // A reader in the middle of the log makes it busy, which is no error.
    isShrunk = connection.sql('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch (error) {
    if (!PrecisError.is(error) && !isBusy(error)) throw error;
  }
  return { ...report, bytesAfter: await fileBytes(connection), isShrunk };
}

function fileBytes(connection: Connection): Promise<number> {
  return connection.read(() => pragma(connection, 'page_count') * pragma(connection, 'page_size'));
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
