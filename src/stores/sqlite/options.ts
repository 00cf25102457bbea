import { PrecisError } from '../../core/errors.ts';

export interface SqliteOptions {
  /**
   * Secret from which the key of an encrypted file is derived. Texts, states, names of contexts and search words are then stored encrypted
   * or as keyed hashes. A file is encrypted from its first day or never.
   *
   * @default undefined: not encrypted, since a lost key is a lost history
   */
  readonly key?: string | undefined;
  /**
   * `full` waits for the disk at every commit, so that it also survives a loss of power. `normal` survives the end of the process, and may
   * lose the last commits with the power.
   *
   * @default 'full', because a commit that resolved is a promise
   */
  readonly synchronous?: 'full' | 'normal';
  /**
   * How long a writer keeps its context after it was last heard of, in milliseconds. Commits renew the lease, and a timer does at a third of
   * this time.
   *
   * @default 30000: longer than a pause of a busy process, short enough to wait for after a crash
   */
  readonly leaseMs?: number;
  /**
   * How long to try again while another process writes to the file, in milliseconds. The event loop is free meanwhile.
   *
   * @default 10000: far more than the longest commit
   */
  readonly busyMs?: number;
  /**
   * Size of the file that no commit may exceed, in bytes. The write-ahead log beside it comes on top, until it is folded in.
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
  // An environment variable that is set to nothing must not mean that nothing is encrypted. The value itself is never shown.
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
