/** How a model counts, learned from what its provider reports: so much for what our counter calls a token, and what is sent beside the messages. */
export interface Calibration {
  readonly factor: number;
  /** Tokens of system prompt, tools and envelope that are in no message. */
  readonly overhead: number;
  readonly samples: number;
  /** The last reading, from which the next one tells how growth is counted. */
  readonly last: { readonly estimated: number; readonly counted: number } | null;
}

export const UNCALIBRATED: Calibration = { factor: 1, overhead: 0, samples: 0, last: null };

/** Weight of a new reading, the most one reading may move the factor, and where it may never go: beyond that something else is wrong. */
const RATE = 0.2;
const MOST_STEP = 0.15;
const LEAST = 0.5;
const MOST = 3;
/** Growth must be so large, in tokens and as a share, to tell how a token is counted. */
const LEAST_GROWTH = 400;
const GROWTH_SHARE = 0.02;

/**
 * Whether a reading can be of this prompt. Gateways leave out what came from a cache, some add up a whole session, and what was answered was
 * never larger than the window: a size that is far off would compact for nothing, or not at all.
 */
export function isPlausible(estimated: number, counted: number, window: number): boolean {
  return counted >= estimated * LEAST && counted <= Math.max(window, estimated * MOST);
}

/**
 * The calibration after one more reading. How growth was counted tells the factor; what is left over is sent beside the messages. Of the first
 * reading all that is left over counts as such, which errs on the safe side after a compaction.
 *
 * @param fixed what is known to be sent beside the messages; null when it has to be learned
 */
export function calibrate(known: Calibration, estimated: number, counted: number, fixed: number | null): Calibration {
  const last = { estimated, counted };
  const samples = known.samples + 1;
  if (fixed !== null) {
    const factor = moved(known, (counted - fixed) / Math.max(1, estimated));
    return { factor, overhead: fixed, samples, last };
  }
  const growth = estimated - (known.last?.estimated ?? estimated);
  const isTelling = known.last !== null && growth >= Math.max(LEAST_GROWTH, estimated * GROWTH_SHARE);
  const slope = isTelling ? (counted - (known.last?.counted ?? 0)) / growth : null;
  const isSane = slope !== null && slope >= LEAST / 2 && slope <= MOST * 2;
  const factor = isSane ? moved(known, slope) : known.factor;
  return { factor, overhead: Math.max(0, counted - factor * estimated), samples, last };
}

function moved({ factor, samples }: Calibration, reading: number): number {
  const step = (reading - factor) * Math.max(RATE, 1 / Math.max(1, samples));
  const bounded = samples <= 1 ? step : Math.max(-MOST_STEP, Math.min(MOST_STEP, step));
  return Math.max(LEAST, Math.min(MOST, factor + bounded));
}
