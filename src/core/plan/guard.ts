/** What keeps compactions from following each other for nothing. */
export interface GuardState {
  /** Compactions in a row that freed too little. */
  readonly strikes: number;
  /** No compaction by itself until all that was said has grown to this size; 0 when nothing is held back. */
  readonly heldUntil: number;
}

export const NO_GUARD: GuardState = { strikes: 0, heldUntil: 0 };

const MOST_STRIKES = 2;
/** Freeing less than this share of the view is no progress. */
const LEAST_FREED = 0.1;

/** The guard after a compaction, or after one that was refused, which freed nothing. */
export function afterCompaction(
  guard: GuardState,
  tokens: { readonly before: number; readonly after: number; readonly said: number; readonly runway: number },
): GuardState {
  const freed = (tokens.before - tokens.after) / Math.max(1, tokens.before);
  if (freed >= LEAST_FREED) return NO_GUARD;
  const strikes = guard.strikes + 1;
  return { strikes, heldUntil: strikes >= MOST_STRIKES ? tokens.said + tokens.runway : guard.heldUntil };
}

/** The guard after a person took a compaction back: doing it again at once would mock them. */
export function afterUndo(guard: GuardState, said: number, runway: number): GuardState {
  return { ...guard, heldUntil: said + runway };
}

export function isHeld({ heldUntil }: GuardState, said: number): boolean {
  return said < heldUntil;
}
