/** A stretch without an event: how long, and whether an event ended it or only the session. */
export interface Stretch {
  readonly length: number;
  readonly isEnded: boolean;
}

/** The stretches of one session: before each event, and what was left after the last, which only says "at least so long". */
export function stretchesOf(requests: number, events: readonly number[]): readonly Stretch[] {
  const starts = [0, ...events];
  const ended = events.map((event, index) => ({ length: event - (starts[index] ?? 0), isEnded: true }));
  return [...ended, { length: requests - (starts.at(-1) ?? 0), isEnded: false }];
}

/**
 * The median length by Kaplan and Meier: stretches that a session's end cut off count as long as they lasted, instead of being left out or
 * taken for whole. Null when fewer than half ended.
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
