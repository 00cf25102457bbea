import { median } from './median.ts';
import type { Noise, SpeedRow } from './types.ts';

/** How far the two groups of one row are apart, whichever was the slower. */
export function deviationOf({ sameByTheSame }: Pick<SpeedRow, 'sameByTheSame'>): number {
  if (!(sameByTheSame > 0)) return 0;
  return Math.max(sameByTheSame, 1 / sameByTheSame) - 1;
}

/** The machine's noise: what two measurements of the same code in the same run differ by. */
export function noiseOf(rows: readonly SpeedRow[]): Noise {
  const [worst] = rows.toSorted((left, right) => deviationOf(right) - deviationOf(left));
  return {
    median: median(rows.map(deviationOf)),
    largest: worst === undefined ? 0 : deviationOf(worst),
    where: worst === undefined ? '' : `${worst.workload} at ${worst.size}`,
  };
}
