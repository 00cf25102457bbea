import type { FailureKind, ModelFailure } from '../../core/model.ts';
import { isRecord } from '../../formats/guards.ts';

/** The cooldowns of a chain as plain JSON, so that they survive a restart. */
export interface ChainState {
  /** Version of this shape. */
  readonly version: 1;
  /** By model id. A candidate without an entry has no cooldown. */
  readonly candidates: Readonly<Record<string, CandidateState>>;
}

/** The cooldown of one candidate. */
export interface CandidateState {
  /** Time of the failure, in milliseconds since 1970. */
  readonly since: number;
  /** Time when the candidate may be asked again, in milliseconds since 1970. */
  readonly until: number;
  /** Kind of the failure that started it. */
  readonly kind: FailureKind;
  /** Consecutive timeouts; each one makes the cooldown longer. */
  readonly timeouts: number;
}

export const NO_STATE: ChainState = { version: 1, candidates: {} };

const SECOND = 1000;
/** Rest after a wrong key or an empty account, which no retry within the next turns will mend. */
const LONG_REST: number = 600 * SECOND;
const REST: number = 60 * SECOND;
const TIMEOUT_RESTS: readonly number[] = [60 * SECOND, 300 * SECOND, 900 * SECOND];
/** The longest cooldown that a provider can ask for. */
const LONGEST_REST: number = 3600 * SECOND;

/** Returns the cooldown of a candidate that just failed; null when the request caused the failure. */
export function cooldownAfter(
  failure: ModelFailure,
  now: number,
  previous: CandidateState | undefined,
): CandidateState | null {
  const { kind } = failure;
  const timeouts = kind === 'timeout' ? (previous?.timeouts ?? 0) + 1 : 0;
  const rest = restOf(kind, timeouts);
  if (rest === null) return null;
  const asked = Math.min(failure.retryAfterMs ?? 0, LONGEST_REST);
  return { since: now, until: now + Math.max(rest, asked), kind, timeouts };
}

function restOf(kind: FailureKind, timeouts: number): number | null {
  switch (kind) {
    case 'auth':
    case 'quota':
      return LONG_REST;
    case 'timeout':
      return TIMEOUT_RESTS[Math.min(timeouts, TIMEOUT_RESTS.length) - 1] ?? REST;
    case 'overflow':
    case 'content-filter':
    case 'aborted':
      return null;
    case 'rate-limit':
    case 'overloaded':
    case 'network':
    case 'malformed':
    case 'unknown':
      return REST;
  }
}

/** Reads a saved state. An unreadable state counts as none, because losing cooldowns does no harm. */
export function readChainState(value: unknown): ChainState {
  if (!isRecord(value) || value['version'] !== 1 || !isRecord(value['candidates'])) return NO_STATE;
  const candidates = Object.entries(value['candidates']).flatMap(([id, kept]) =>
    isCandidate(kept) ? [[id, kept]] : [],
  );
  return { version: 1, candidates: Object.fromEntries(candidates) as Readonly<Record<string, CandidateState>> };
}

function isCandidate(value: unknown): value is CandidateState {
  if (!isRecord(value) || typeof value['kind'] !== 'string') return false;
  return [value['since'], value['until'], value['timeouts']].every((field) => Number.isFinite(field));
}
