/** Keeps useless compactions from following one another. */
export interface GuardState {
  /** No compaction starts on its own until the history has grown to this size; 0 when nothing is held back. */
  readonly heldUntil: number;
  /** Why it is held back, in words; null when it is not. */
  readonly reason: string | null;
}

export const NO_GUARD: GuardState = { heldUntil: 0, reason: null };

/** What the guard has to know about a compaction. Sizes are of the whole request. */
export interface Landing {
  readonly after: number;
  readonly threshold: number;
  /** Tokens that were said so far. */
  readonly said: number;
  /** Tokens that a cut must free to be worth it. */
  readonly rearm: number;
}

/** The guard after a compaction: one that landed close to the threshold must not follow itself at the next request. */
export function afterCompaction({ after, threshold, said, rearm }: Landing): GuardState {
  if (after + rearm <= threshold) return NO_GUARD;
  return { heldUntil: said + rearm, reason: `the last one could not get below ${after} tokens` };
}

/** The guard after a refusal: nothing was freed, so the same attempt waits until there is more to cut. */
export function afterRefusal(reason: string, said: number, rearm: number): GuardState {
  return { heldUntil: said + rearm, reason };
}

/** The guard after an undo: to repeat the compaction at once would defy the person who undid it. */
export function afterUndo(said: number, rearm: number): GuardState {
  return { heldUntil: said + rearm, reason: 'the last one was undone' };
}

export function isHeld({ heldUntil }: GuardState, said: number): boolean {
  return said < heldUntil;
}
