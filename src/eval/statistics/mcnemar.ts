import { logChoose } from './gamma.ts';

/** The result of McNemar's test. */
export interface McNemar {
  /** Two-sided, exact. */
  readonly p: number;
  /** Counts half of the outcome that was seen: less cautious, closer to the level that was asked for. */
  readonly midP: number;
}

/** Exact test of McNemar: pairs of which only A hit against pairs of which only B hit; the others say nothing. */
export function mcnemar(onlyA: number, onlyB: number): McNemar {
  const count = onlyA + onlyB;
  if (count === 0) return { p: 1, midP: 1 };
  const fewer = Math.min(onlyA, onlyB);
  const chanceOf = (hits: number): number => Math.exp(logChoose(count, hits) - count * Math.LN2);
  let tail = 0;
  for (let hits = 0; hits <= fewer; hits++) tail += chanceOf(hits);
  return { p: Math.min(1, 2 * tail), midP: Math.min(1, 2 * tail - chanceOf(fewer)) };
}
