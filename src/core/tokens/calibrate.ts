/** How a model counts, learned from its provider's reports: a factor on our own count, and an overhead for everything sent with the messages. */
export interface Calibration {
  readonly factor: number;
  /** Tokens of system prompt, tools and envelope that are in no message. */
  readonly overhead: number;
  readonly samples: number;
  /** The last reading. The difference to the next one shows how the provider counts growth. */
  readonly last: Reading | null;
}

/** One request: our own count, and the provider's. */
export interface Reading {
  readonly estimated: number;
  readonly counted: number;
}

export const UNCALIBRATED: Calibration = { factor: 1, overhead: 0, samples: 0, last: null };

/** How much a new reading counts, how far it may move the factor, and the factor's bounds: beyond those something else is wrong. */
const RATE = 0.2;
const MOST_STEP = 0.15;
const LEAST = 0.5;
const MOST = 3;
/** Growth must be at least this large, in tokens and as a share, to show how a token is counted. */
const LEAST_GROWTH = 400;
const GROWTH_SHARE = 0.02;

/**
 * True when a reading can belong to this prompt. Some gateways leave out cached tokens, some add up a whole session, and no answered prompt is
 * larger than the window. A size that is far off would cause needless compactions, or prevent needed ones.
 */
export function isPlausible(estimated: number, counted: number, window: number): boolean {
  return counted >= estimated * LEAST && counted <= Math.max(window, estimated * MOST);
}

/**
 * The calibration after one more reading. The growth between two readings gives the factor; the tokens left over are overhead. The first reading
 * counts everything left over as overhead, which errs on the safe side after a compaction.
 *
 * @param fixed the overhead, when it is known; null when it has to be learned
 */
export function calibrate(known: Calibration, reading: Reading, fixed: number | null): Calibration {
  const { estimated, counted } = reading;
  const samples = known.samples + 1;
  if (fixed !== null) {
    const factor = moved(known, (counted - fixed) / Math.max(1, estimated));
    return { factor, overhead: fixed, samples, last: reading };
  }
  const growth = estimated - (known.last?.estimated ?? estimated);
  const isTelling = known.last !== null && growth >= Math.max(LEAST_GROWTH, estimated * GROWTH_SHARE);
  const slope = isTelling ? (counted - (known.last?.counted ?? 0)) / growth : null;
  const isSane = slope !== null && slope >= LEAST / 2 && slope <= MOST * 2;
  const factor = isSane ? moved(known, slope) : known.factor;
  return { factor, overhead: Math.max(0, counted - factor * estimated), samples, last: reading };
}

function moved({ factor, samples }: Calibration, reading: number): number {
  const step = (reading - factor) * Math.max(RATE, 1 / Math.max(1, samples));
  const bounded = samples <= 1 ? step : Math.max(-MOST_STEP, Math.min(MOST_STEP, step));
  return Math.max(LEAST, Math.min(MOST, factor + bounded));
}
