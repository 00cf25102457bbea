/** How much a model counts for what our counter calls one token, learned from what its provider reports. */
export interface Calibration {
  readonly factor: number;
  readonly samples: number;
}

export const UNCALIBRATED: Calibration = { factor: 1, samples: 0 };

/** Weight of a new reading, the most one reading may move the factor, and where it may never go: beyond that something else is wrong. */
const RATE = 0.2;
const MOST_STEP = 0.15;
const LEAST = 0.5;
const MOST = 3;
/** A short prompt is mostly envelope and tools, and says little of the words in it. */
const SMALLEST_SAMPLE = 500;

/**
 * Whether a reading can be of this prompt. Gateways leave out what came from a cache, and some count nothing at all: a prompt taken for
 * smaller than it is would grow until it no longer fits.
 */
export function isPlausible(estimated: number, counted: number): boolean {
  return counted >= estimated * LEAST;
}

/** The calibration after one more reading. The first readings count for more, so that a wrong start is soon forgotten. */
export function calibrate(known: Calibration, estimated: number, counted: number): Calibration {
  if (estimated < SMALLEST_SAMPLE || counted <= 0) return known;
  const rate = Math.max(RATE, 1 / (known.samples + 1));
  const step = (counted / estimated - known.factor) * rate;
  const bounded = known.samples === 0 ? step : Math.max(-MOST_STEP, Math.min(MOST_STEP, step));
  return { factor: Math.max(LEAST, Math.min(MOST, known.factor + bounded)), samples: known.samples + 1 };
}
