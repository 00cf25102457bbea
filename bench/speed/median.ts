/** The value in the middle, of an even number the mean of both; 0 of nothing. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that such a part of all lies below, between two values in proportion; 0 of nothing. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const place = (sorted.length - 1) * part;
  const lower = sorted[Math.floor(place)] ?? 0;
  const upper = sorted[Math.ceil(place)] ?? lower;
  return lower + (upper - lower) * (place - Math.floor(place));
}
