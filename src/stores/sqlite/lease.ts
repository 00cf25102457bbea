import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { SQLOutputValue } from 'node:sqlite';
import { PrecisError } from '../../core/errors.ts';
import { numberIn } from './file/cell.ts';
import type { Connection } from './file/connection.ts';

/** The right to write to one context. */
export interface Lease {
  readonly holder: string;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Call in a transaction. Takes a free or expired lease; throws when somebody else holds it. */
export function takeLease({ sql, options }: Connection, context: number, id: string): Lease {
  const now = options.now();
  const row = sql('SELECT holder, pid, host, since, until FROM contexts WHERE id = ?').get(context);
  if (row !== undefined && isHeld(row, now)) throw heldByAnother(id, row);
  const holder = randomUUID();
  sql('UPDATE contexts SET holder = ?, pid = ?, host = ?, since = ?, until = ? WHERE id = ?').run(
    holder,
    process.pid,
    hostname(),
    now,
    now + options.leaseMs,
    context,
  );
  return { holder };
}

/** True while somebody may still write. An expired lease does not count, though its holder keeps it until another takes it. */
export function isHeld(row: Row, now: number): boolean {
  return row['holder'] !== null && numberIn(row['until']) > now;
}

/** Call in a transaction. False when another has taken the lease. */
export function renewLease({ sql, options }: Connection, context: number, { holder }: Lease): boolean {
  const until = options.now() + options.leaseMs;
  return sql('UPDATE contexts SET until = ? WHERE id = ? AND holder = ?').run(until, context, holder).changes === 1;
}

export function releaseLease({ sql }: Connection, context: number, { holder }: Lease): void {
  sql(
    'UPDATE contexts SET holder = NULL, pid = NULL, host = NULL, since = NULL, until = NULL WHERE id = ? AND holder = ?',
  ).run(context, holder);
}

export function lostLease({ sql }: Connection, context: number, id: string): PrecisError {
  const row = sql('SELECT pid, host, since FROM contexts WHERE id = ? AND holder IS NOT NULL').get(context);
  const by = row === undefined ? 'another writer' : `process ${row['pid']} on ${row['host']} (${timeOf(row['since'])})`;
  return new PrecisError(
    'locked',
    `The lease of context ${id} was lost: its time was over and ${by} took it; nothing was written. Open it again and load what is there`,
    { id, ...row },
  );
}

export function notWritable(id: string): PrecisError {
  return new PrecisError('locked', `context ${id} is not open for writing`, { id });
}

function heldByAnother(id: string, row: Row): PrecisError {
  const { pid, host, since, until } = row;
  return new PrecisError(
    'locked',
    `context ${id} is open for writing already, by process ${pid} on ${host} since ${timeOf(since)}, until ${timeOf(until)} unless it is ` +
      'renewed; close it there, wait, or open it for reading',
    { id, pid, host, since, until },
  );
}

function timeOf(value: SQLOutputValue | undefined): string {
  return new Date(numberIn(value)).toISOString();
}
