/** The host gets an event at these shares of the threshold, lowest first. */
export const PRESSURE_LEVELS: readonly number[] = [0.6, 0.75, 0.85, 0.95];
/** Pressure must fall this far below a level before that level is reported again. */
const HYSTERESIS = 0.05;
/** Weight of the newest growth in the forecast. */
const GROWTH_RATE = 0.3;

export interface PressureState {
  /** The highest level that was reported and not left since; 0 when there is none. */
  readonly told: number;
  /** Tokens that a request adds, as a moving average; null before the second request. */
  readonly growth: number | null;
  /** Size at the last request; null before the first. */
  readonly size: number | null;
}

export const NO_PRESSURE: PressureState = { told: 0, growth: null, size: null };

export interface PressureReading {
  readonly state: PressureState;
  /** The level that was just reached; null when there is nothing to report. */
  readonly reached: number | null;
  readonly pressure: number;
  /** Requests until the threshold at the present pace; null when the view does not grow. */
  readonly turnsLeft: number | null;
}

/** Takes one reading of the size. Each level is reported once per climb. */
export function readPressure(before: PressureState, size: number, threshold: number): PressureReading {
  const pressure = size / threshold;
  const highest = PRESSURE_LEVELS.findLast((level) => pressure >= level) ?? 0;
  const kept = pressure < before.told - HYSTERESIS ? highest : before.told;
  const growth = grown(before, size);
  const left = growth === null || growth <= 0 ? null : Math.max(0, Math.floor((threshold - size) / growth));
  return {
    state: { told: Math.max(kept, highest), growth, size },
    reached: highest > kept ? highest : null,
    pressure,
    turnsLeft: left,
  };
}

/** A view that shrank was compacted: that says nothing about how fast it grows. */
function grown({ size: last, growth }: PressureState, size: number): number | null {
  if (last === null || size <= last) return growth;
  const step = size - last;
  return growth === null ? step : growth + (step - growth) * GROWTH_RATE;
}
