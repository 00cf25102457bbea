import type { ModelCall, SummarizerAnswer } from '../../core/model.ts';
import { wait } from '../timers.ts';

/** How a chain of models retries, waits and gives up. */
export interface ChainOptions {
  /** How often a candidate is asked again after a transient failure. @default 2: a third wait rarely helps and costs the most */
  readonly retries?: number;
  /** Upper bound of the first wait in milliseconds, doubled with each try; the wait itself is random. @default 1_000 */
  readonly firstDelayMs?: number;
  /** Longest wait in milliseconds when the provider asks for none. @default 30_000 */
  readonly maxDelayMs?: number;
  /** Longest wait in milliseconds that a provider may ask for; beyond it the chain asks the next candidate. @default 60_000 */
  readonly maxRetryAfterMs?: number;
  /** Time for all candidates and tries together, in milliseconds. @default 900_000 */
  readonly totalMs?: number;
  /** Called with every attempt as it ends. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** Resolves after this many milliseconds, or when the signal is aborted. @default a timer */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
  /** Cooldowns of an earlier run, from `state()`. @default none */
  readonly state?: unknown;
}

/** One request to one candidate, without its content, for receipts. */
export interface Attempt extends ModelCall {
  /** Input tokens that the provider read from its cache; null when it did not say. */
  readonly cachedInputTokens: number | null;
  /** Time waited before this request, in milliseconds. */
  readonly waitedMs: number;
}

/** The answer of a chain, and how it came about. */
export interface ChainResult extends SummarizerAnswer {
  /** Every request that was made, in order. */
  readonly attempts: readonly Attempt[];
  /** Ids of candidates that were skipped because they failed a short while ago. */
  readonly resting: readonly string[];
}

export type ChainSettings = Required<Omit<ChainOptions, 'state'>>;

export function withDefaults(options: ChainOptions): ChainSettings {
  return {
    retries: options.retries ?? 2,
    firstDelayMs: options.firstDelayMs ?? 1_000,
    maxDelayMs: options.maxDelayMs ?? 30_000,
    maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
    totalMs: options.totalMs ?? 900_000,
    onAttempt: options.onAttempt ?? (() => {}),
    now: options.now ?? Date.now,
    sleep: options.sleep ?? wait,
    random: options.random ?? Math.random,
  };
}
