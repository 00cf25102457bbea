import type { FailureKind, ModelFailure } from '../../core/model.ts';

/** How long candidates rest, as plain JSON, so that it survives a restart. */
export interface ChainState {
  readonly version: 1;
  /** By the id of the model. */
  readonly candidates: Readonly<Record<string, CandidateState>>;
}

export interface CandidateState {
  /** When it failed, in milliseconds since 1970. */
  readonly since: number;
  /** Until when it is not asked, in milliseconds since 1970. */
  readonly until: number;
  readonly kind: FailureKind;
  /** Timeouts in a row: each one makes the rest longer. */
  readonly timeouts: number;
}

export const NO_STATE: ChainState = { version: 1, candidates: {} };

const SECOND = 1000;
/** A key does not become valid, and an account not full, within a conversation's next turns. */
const LONG_REST: number = 600 * SECOND;
const REST: number = 60 * SECOND;
const TIMEOUT_RESTS: readonly number[] = [60 * SECOND, 300 * SECOND, 900 * SECOND];
/** What a provider may ask for at most. */
const LONGEST_REST: number = 3600 * SECOND;

/** The state of a candidate that just failed; null when the request was at fault and not the candidate. */
export function rested(
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

/** Reads a state that was kept somewhere. What cannot be read is no state: a cooldown is a courtesy, not data. */
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
