/** A range that holds the estimated value with some confidence. */
export interface Interval {
  /** Its lower end. */
  readonly low: number;
  /** Its upper end. */
  readonly high: number;
}

export function excludesZero({ low, high }: Interval): boolean {
  return low > 0 || high < 0;
}

export function isInside({ low, high }: Interval, margin: number): boolean {
  return low > -margin && high < margin;
}

export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? Number.NaN : sum / values.length;
}

/** Returns the mean; null without values. */
export function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}

export function median(values: readonly number[]): number {
  return quantileOf(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Returns the sample variance, divided by n − 1; 0 for fewer than two values. */
export function variance(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  let sum = 0;
  for (const value of values) sum += (value - centre) ** 2;
  return sum / (values.length - 1);
}

/** Returns a quantile of sorted values by linear interpolation, as R's type 7. */
export function quantileOf(sorted: ArrayLike<number>, chance: number): number {
  const place = (sorted.length - 1) * Math.min(1, Math.max(0, chance));
  const before = sorted[Math.floor(place)] ?? Number.NaN;
  const after = sorted[Math.ceil(place)] ?? Number.NaN;
  return before + (after - before) * (place - Math.floor(place));
}
