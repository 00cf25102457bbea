/** Consecutive requests without an event. */
export interface Stretch {
  readonly length: number;
  /** True when an event ended it, false when the session did. */
  readonly isEnded: boolean;
}

/** Lists the stretches of one session: one before each event, and one after the last, whose full length is unknown. */
export function stretchesOf(requests: number, events: readonly number[]): readonly Stretch[] {
  const starts = [0, ...events];
  const ended = events.map((event, index) => ({ length: event - (starts[index] ?? 0), isEnded: true }));
  return [...ended, { length: requests - (starts.at(-1) ?? 0), isEnded: false }];
}

/**
 * Returns the median length by Kaplan and Meier. A stretch that the end of a session cut off counts for as long as it lasted: it is neither left
 * out nor treated as complete. Null when fewer than half ended with an event.
 */
export function medianStretch(stretches: readonly Stretch[]): number | null {
  const sorted = stretches.toSorted((one, other) => one.length - other.length);
  let atRisk = sorted.length;
  let surviving = 1;
  for (let at = 0; at < sorted.length; ) {
    const length = sorted[at]?.length ?? 0;
    let ended = 0;
    let gone = 0;
    for (; at < sorted.length && sorted[at]?.length === length; at++) {
      gone += 1;
      if (sorted[at]?.isEnded === true) ended += 1;
    }
    surviving *= 1 - ended / atRisk;
    atRisk -= gone;
    if (surviving <= 0.5) return length;
  }
  return null;
}
