import { PrecisError } from '../../core/errors.ts';

/** How to open a store in an SQLite file. */
export interface SqliteOptions {
  /**
   * Secret for an encrypted file. Texts, states, context names and search words are then stored encrypted or as keyed hashes. A file is
   * encrypted from the start or never.
   *
   * @default undefined: not encrypted, because a lost key is a lost history
   */
  readonly key?: string | undefined;
  /**
   * `full` waits for the disk at every commit, so that it also survives a power failure. `normal` survives the end of the process, but a
   * power failure may lose the last commits.
   *
   * @default 'full', because a commit that resolved is a promise
   */
  readonly synchronous?: 'full' | 'normal';
  /**
   * How long a silent writer keeps its context, in milliseconds. Every commit renews the lease, and so does a timer at a third of this time.
   *
   * @default 30000: longer than a busy process pauses, short enough to wait for after a crash
   */
  readonly leaseMs?: number;
  /**
   * How long to retry while another process writes to the file, in milliseconds. The event loop stays free meanwhile.
   *
   * @default 10000: far more than the longest commit
   */
  readonly busyMs?: number;
  /**
   * Largest size of the file in bytes; a commit beyond it fails. The write-ahead log is a file of its own and is not counted.
   *
   * @default Infinity
   */
  readonly maxBytes?: number;
  /**
   * Milliseconds since 1970, for leases and the age of contexts.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

export interface ResolvedOptions {
  readonly key: string | null;
  readonly synchronous: 'full' | 'normal';
  readonly leaseMs: number;
  readonly busyMs: number;
  readonly maxBytes: number;
  readonly now: () => number;
}

const LEASE_MS = 30_000;
const BUSY_MS = 10_000;

export function resolveOptions(path: string, options: SqliteOptions): ResolvedOptions {
  const {
    key,
    synchronous = 'full',
    leaseMs = LEASE_MS,
    busyMs = BUSY_MS,
    maxBytes = Number.POSITIVE_INFINITY,
  } = options;
  if (typeof path !== 'string' || path === '' || path === ':memory:' || path.includes('\0'))
    throw bad('path', 'the path of a file; for a store in memory take memoryStore()', path);
  // A variable that is set but empty must not turn encryption off. The value itself is never shown.
  if (key !== undefined && (typeof key !== 'string' || key === ''))
    throw bad('key', 'text that is not empty', key === '' ? '' : typeof key);
  if (synchronous !== 'full' && synchronous !== 'normal') throw bad('synchronous', '`full` or `normal`', synchronous);
  if (!(leaseMs > 0 && Number.isFinite(leaseMs))) throw bad('leaseMs', 'a number above 0', leaseMs);
  if (!(busyMs >= 0)) throw bad('busyMs', 'a number from 0', busyMs);
  if (!(maxBytes > 0)) throw bad('maxBytes', 'a number above 0', maxBytes);
  return { key: key ?? null, synchronous, leaseMs, busyMs, maxBytes, now: options.now ?? Date.now };
}

function bad(name: string, expected: string, value: unknown): PrecisError {
  return new PrecisError(
    'bad-option',
    `Expected \`${name}\` to be ${expected}, got \`${String(value)}\` (${typeof value})`,
    {
      option: name,
    },
  );
}
