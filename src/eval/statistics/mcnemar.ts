import { logChoose } from './gamma.ts';

/** The result of McNemar's test. */
export interface McNemar {
  /** Two-sided, exact. */
  readonly p: number;
  /** Mid-p value: it counts only half of the observed outcome, which makes it less cautious and closer to the nominal level. */
  readonly midP: number;
}

/** McNemar's exact test. It weighs pairs that only A got right against pairs that only B got right; other pairs do not matter. */
export function mcnemar(onlyA: number, onlyB: number): McNemar {
  const count = onlyA + onlyB;
  if (count === 0) return { p: 1, midP: 1 };
  const fewer = Math.min(onlyA, onlyB);
  const chanceOf = (hits: number): number => Math.exp(logChoose(count, hits) - count * Math.LN2);
  let tail = 0;
  for (let hits = 0; hits <= fewer; hits++) tail += chanceOf(hits);
  return { p: Math.min(1, 2 * tail), midP: Math.min(1, 2 * tail - chanceOf(fewer)) };
}
