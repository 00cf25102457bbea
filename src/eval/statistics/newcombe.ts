import type { Interval } from './interval.ts';
import { wilson } from './proportion.ts';

/** Counts of pairs by which side got them right. */
export interface PairedCounts {
  /** Pairs that both got right. */
  readonly both: number;
  /** Pairs that only A got right. */
  readonly onlyA: number;
  /** Pairs that only B got right. */
  readonly onlyB: number;
  /** Pairs that neither got right. */
  readonly neither: number;
}

/** The difference of two shares of the same pairs, with its interval. */
export interface PairedDifference extends Interval {
  /** Share of B less share of A. */
  readonly difference: number;
}

/** Newcombe's interval for the difference of two shares of the same pairs (his method 10). */
export function newcombe({ both, onlyA, onlyB, neither }: PairedCounts, confidence = 0.95): PairedDifference {
  const count = both + onlyA + onlyB + neither;
  if (count === 0) return { difference: 0, low: -1, high: 1 };
  const shareA = (both + onlyA) / count;
  const shareB = (both + onlyB) / count;
  const a = wilson(both + onlyA, count, confidence);
  const b = wilson(both + onlyB, count, confidence);
  const phi = correlation({ both, onlyA, onlyB, neither }, count);
  const difference = shareB - shareA;
  const reach = (first: number, second: number): number =>
    Math.sqrt(Math.max(0, first * first - 2 * phi * first * second + second * second));
  return {
    difference,
    low: Math.max(-1, difference - reach(shareB - b.low, a.high - shareA)),
    high: Math.min(1, difference + reach(b.high - shareB, shareA - a.low)),
  };
}

/** Returns the correlation of the two outcomes. Where it is positive, method 10 applies a continuity correction. */
function correlation({ both, onlyA, onlyB, neither }: PairedCounts, count: number): number {
  const margins = (both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither);
  if (margins === 0) return 0;
  const product = both * neither - onlyA * onlyB;
  const top = product > count / 2 ? product - count / 2 : Math.min(product, 0);
  return top / Math.sqrt(margins);
}
