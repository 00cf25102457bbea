/** Keeps useless compactions from following one another. */
export interface GuardState {
  /** Compactions in a row that freed too little. */
  readonly strikes: number;
  /** No compaction starts on its own until the history has grown to this size; 0 when nothing is held back. */
  readonly heldUntil: number;
}

export const NO_GUARD: GuardState = { strikes: 0, heldUntil: 0 };

const MOST_STRIKES = 2;
/** Freeing less than this share of the view is no progress. */
const LEAST_FREED = 0.1;

/** The guard after a compaction. A refused one counts too: it freed nothing. */
export function afterCompaction(
  guard: GuardState,
  tokens: { readonly before: number; readonly after: number; readonly said: number; readonly rearm: number },
): GuardState {
  const freed = (tokens.before - tokens.after) / Math.max(1, tokens.before);
  if (freed >= LEAST_FREED) return NO_GUARD;
  const strikes = guard.strikes + 1;
  return { strikes, heldUntil: strikes >= MOST_STRIKES ? tokens.said + tokens.rearm : guard.heldUntil };
}

/** The guard after an undo: to repeat the compaction at once would defy the person who undid it. */
export function afterUndo(guard: GuardState, said: number, rearm: number): GuardState {
  return { ...guard, heldUntil: said + rearm };
}

export function isHeld({ heldUntil }: GuardState, said: number): boolean {
  return said < heldUntil;
}
