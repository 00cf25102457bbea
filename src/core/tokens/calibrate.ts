/** How a model counts, learned from its provider's reports: a factor on our own count, and an overhead for everything sent with the messages. */
export interface Calibration {
  readonly factor: number;
  /** Tokens of system prompt, tools and envelope that are in no message. */
  readonly overhead: number;
  readonly samples: number;
  /** The last reading. The difference to the next one shows how the provider counts growth. */
  readonly last: Reading | null;
  /** Readings in a row that rose by a whole request where it only grew. @default 0 */
  readonly addedUp?: number;
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

/** What a reading teaches. Sizes start from a count that is `taken`, and from no count at all after a `sum`. */
export interface Lesson {
  readonly calibration: Calibration;
  readonly count: 'taken' | 'ignored' | 'sum';
}

/** What is known about a request beside its size: its overhead, null when that has to be learned, and the window of its model. */
export interface ReadingContext {
  readonly fixed: number | null;
  readonly window: number;
}

/** Once can be a new set of tools that no request shows; twice in a row means that the counts are sums. */
const SUMS_FROM = 2;

/**
 * Learns from a reading. A host that adds up a session reports sums that may stay below the window for long. What they seem to add to the request
 * would leave no room for messages, so everything that they taught is forgotten.
 */
export function learn(known: Calibration, reading: Reading, { fixed, window }: ReadingContext): Lesson {
  const { estimated, counted } = reading;
  if (counted < estimated * LEAST) return { calibration: known, count: 'ignored' };
  const addedUp = readingsAddedUp(known, reading);
  if (addedUp >= SUMS_FROM) return { calibration: { ...UNCALIBRATED, last: reading, addedUp }, count: 'sum' };
  const watched = { ...known, addedUp };
  if (!isPlausible(estimated, counted, window)) return { calibration: { ...watched, last: reading }, count: 'ignored' };
  return { calibration: calibrate(watched, reading, fixed), count: 'taken' };
}

/** Readings in a row whose count rose more by the size of the request than by its growth. */
function readingsAddedUp({ last, factor, addedUp = 0 }: Calibration, { estimated, counted }: Reading): number {
  if (last === null) return 0;
  const growth = Math.max(0, estimated - last.estimated);
  // Where most of a request is new, its size and its growth look alike.
  if (growth > estimated / 2) return addedUp;
  return (counted - last.counted) / factor > (growth + estimated) / 2 ? addedUp + 1 : 0;
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
    return { ...known, factor, overhead: fixed, samples, last: reading };
  }
  const growth = estimated - (known.last?.estimated ?? estimated);
  const isTelling = known.last !== null && growth >= Math.max(LEAST_GROWTH, estimated * GROWTH_SHARE);
  const slope = isTelling ? (counted - (known.last?.counted ?? 0)) / growth : null;
  const isSane = slope !== null && slope >= LEAST / 2 && slope <= MOST * 2;
  const factor = isSane ? moved(known, slope) : known.factor;
  return { ...known, factor, overhead: Math.max(0, counted - factor * estimated), samples, last: reading };
}

function moved({ factor, samples }: Calibration, reading: number): number {
  const step = (reading - factor) * Math.max(RATE, 1 / Math.max(1, samples));
  const bounded = samples <= 1 ? step : Math.max(-MOST_STEP, Math.min(MOST_STEP, step));
  return Math.max(LEAST, Math.min(MOST, factor + bounded));
}
