import { describe, expect, test } from 'vitest';
import { exponentsOf, slopeOf, wordsFor } from '../../bench/speed/exponent.ts';
import { median, quantile } from '../../bench/speed/median.ts';
import { deviationOf, noiseOf } from '../../bench/speed/noise.ts';
import type { SpeedRow } from '../../bench/speed/types.ts';

const SIZES = [10_000, 30_000, 100_000, 1_000_000];

const row = (over: Partial<SpeedRow>): SpeedRow => ({
  workload: 'fold',
  size: 10_000,
  tokens: 10_000,
  ms: 1,
  yardsticks: 1,
  peakMb: 0,
  sameByTheSame: 1,
  samples: 6,
  ...over,
});

describe('the exponent', () => {
  test.each([-1, 0, 0.5, 1, 1.5, 2])('of an exact power of %d is that power', (power) => {
    expect(slopeOf(SIZES.map((size) => [size, 0.003 * size ** power]))).toBeCloseTo(power, 9);
  });

  test('is the best line through points that lie on none', () => {
    expect(
      slopeOf([
        [1, 1],
        [10, 100],
        [100, 100],
      ]),
    ).toBeCloseTo(1, 9);
  });

  test('is not made of two points, of one size, or of zeros', () => {
    expect(slopeOf([])).toBeNull();
    expect(
      slopeOf([
        [1, 1],
        [10, 10],
      ]),
    ).toBeNull();
    expect(
      slopeOf([
        [10, 1],
        [10, 2],
        [10, 3],
      ]),
    ).toBeNull();
    expect(
      slopeOf([
        [1, 0],
        [10, 0],
        [100, 0],
        [1_000, 1],
      ]),
    ).toBeNull();
  });

  test.each([
    [null, 'too few sizes to say'],
    [0.03, '0.03: flat, does not depend on the history'],
    [-0.001, '0.00: flat, does not depend on the history'],
    [0.5, '0.50: grows more slowly than the history'],
    [1.02, '1.02: linear'],
    [1.3, '1.30: a little more than linear'],
    [2, '2.00: grows faster than the history'],
  ])('of %d is said in words', (slope, words) => {
    expect(wordsFor(slope)).toBe(words);
  });

  test('is found for time and memory of each workload, and too little memory is said to be little', () => {
    const rows = SIZES.flatMap((size) => [
      row({ size, tokens: size, yardsticks: size / 100, peakMb: 0.5 }),
      row({ workload: 'plan', size, tokens: size, yardsticks: 3, peakMb: size / 1_000 }),
    ]);
    expect(exponentsOf(rows).map(({ workload, of, words }) => `${workload} ${of} ${words}`)).toEqual([
      'fold time 1.00: linear',
      'fold memory less than 2 MB at every size',
      'plan time 0.00: flat, does not depend on the history',
      'plan memory 1.00: linear',
    ]);
  });
});

describe('noise', () => {
  test('is the same whichever of two groups was the slower', () => {
    expect(deviationOf(row({ sameByTheSame: 1.25 }))).toBeCloseTo(0.25, 9);
    expect(deviationOf(row({ sameByTheSame: 0.8 }))).toBeCloseTo(0.25, 9);
    expect(deviationOf(row({ sameByTheSame: Number.NaN }))).toBe(0);
  });

  test('of a run is the median, the largest, and where that was', () => {
    const rows = [
      row({ sameByTheSame: 1.01 }),
      row({ sameByTheSame: 1.02 }),
      row({ size: 30_000, sameByTheSame: 0.5 }),
    ];
    const { median: middle, largest, where } = noiseOf(rows);
    expect(middle).toBeCloseTo(0.02, 9);
    expect([largest, where]).toEqual([1, 'fold at 30000']);
    expect(noiseOf([])).toEqual({ median: 0, largest: 0, where: '' });
  });
});

test('medians and quantiles', () => {
  expect([median([]), median([7]), median([3, 1]), median([5, 1, 9])]).toEqual([0, 7, 2, 5]);
  expect([quantile([1, 2, 3, 4, 5], 0.25), quantile([4, 2], 0.25)]).toEqual([2, 2.5]);
});
