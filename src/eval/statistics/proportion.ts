import { betaQuantile } from './beta.ts';
import type { Interval } from './interval.ts';
import { normalQuantile } from './normal.ts';

/**
 * Wilson's interval for a share of `count` trials. `hits` may be a sum of values between 0 and 1. Such values vary less than trials that are 0
 * or 1, so the interval is then somewhat too wide.
 */
export function wilson(hits: number, count: number, confidence = 0.95): Interval {
  if (count <= 0) return { low: 0, high: 1 };
  const z = normalQuantile(0.5 + confidence / 2);
  const share = hits / count;
  const scale = 1 + (z * z) / count;
  const centre = (share + (z * z) / (2 * count)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count))) / scale;
  // Rounding must not push the estimate itself out of its interval.
  return { low: Math.max(0, Math.min(share, centre - half)), high: Math.min(1, Math.max(share, centre + half)) };
}

/** Jeffreys' interval: the middle of Beta(hits + ½, misses + ½), closed at 0 and 1 when nothing or everything hit. */
export function jeffreys(hits: number, count: number, confidence = 0.95): Interval {
  const tail = (1 - confidence) / 2;
  const misses = count - hits;
  return {
    low: hits === 0 ? 0 : betaQuantile(tail, hits + 0.5, misses + 0.5),
    high: misses === 0 ? 1 : betaQuantile(1 - tail, hits + 0.5, misses + 0.5),
  };
}
