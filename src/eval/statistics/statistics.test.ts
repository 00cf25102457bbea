/** Against published values, against R, and against counting every case. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agreement, correctedShare } from './agreement.ts';
import { betaCdf, betaQuantile } from './beta.ts';
import { percentileInterval, type ResampledProbe, resampleClusters, resampleWithin } from './bootstrap.ts';
import { logGamma } from './gamma.ts';
import { holm } from './holm.ts';
import { mean, median, quantileOf, variance } from './interval.ts';
import { mcnemar } from './mcnemar.ts';
import { newcombe } from './newcombe.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { signFlip } from './permutation.ts';
import { designEffect, detectable, effectiveCount, intraclass, pairsNeeded } from './power.ts';
import { jeffreys, wilson } from './proportion.ts';
import { gaussian, seeded } from './random.ts';
import { tCdf, tQuantile } from './student.ts';

describe('distributions', () => {
  test('the normal distribution agrees with its tables', () => {
    expect(normalCdf(1.96)).toBeCloseTo(0.9750021048517795, 13);
    expect(normalCdf(-1)).toBeCloseTo(0.15865525393145707, 13);
    expect(normalCdf(-6) / 9.865876450376946e-10).toBeCloseTo(1, 10);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
    expect(normalQuantile(0.8)).toBeCloseTo(0.8416212335729143, 12);
    expect(normalQuantile(1e-10)).toBeCloseTo(-6.361340902404056, 9);
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  });

  test('Student’s t agrees with its tables', () => {
    expect(tQuantile(0.975, 1)).toBeCloseTo(12.706204736432095, 8);
    expect(tQuantile(0.975, 5)).toBeCloseTo(2.570581835636314, 9);
    expect(tQuantile(0.95, 10)).toBeCloseTo(1.8124611228107335, 9);
    expect(tQuantile(0.6, 3)).toBeCloseTo(0.2766706623326902, 9);
    expect(tCdf(2.570581835636314, 5)).toBeCloseTo(0.975, 10);
  });

  test('gamma and beta agree with exact values', () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 11);
    expect(betaCdf(0.5, 2, 3)).toBeCloseTo(0.6875, 13);
    expect(betaCdf(0.3, 1, 1)).toBeCloseTo(0.3, 13);
    // Arcsine distribution.
    expect(betaCdf(0.2, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.2)), 12);
    expect(betaQuantile(0.6875, 2, 3)).toBeCloseTo(0.5, 12);
  });

  test('the beta distribution is a sum of binomial chances', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 25 }),
        fc.nat(24),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (n, k, p) => {
          fc.pre(k < n);
          let tail = 0;
          for (let hits = k + 1; hits <= n; hits++) tail += choose(n, hits) * p ** hits * (1 - p) ** (n - hits);
          expect(betaCdf(p, k + 1, n - k)).toBeCloseTo(tail, 9);
        },
      ),
    );
  });

  test('quantiles turn the distributions around', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.0001, max: 0.9999, noNaN: true }), fc.integer({ min: 1, max: 60 }), (p, n) => {
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 11);
        expect(tCdf(tQuantile(p, n), n)).toBeCloseTo(p, 9);
        expect(betaCdf(betaQuantile(p, n / 2, 3), n / 2, 3)).toBeCloseTo(p, 9);
      }),
    );
  });
});

describe('shares', () => {
  test.each([
    [15, 15, 0.796, 1],
    [30, 30, 0.886, 1],
    [6, 15, 0.198, 0.643],
    [90, 100, 0.826, 0.945],
  ])('Wilson of %d/%d', (hits, count, low, high) => {
    const found = wilson(hits, count);
    expect(found.low).toBeCloseTo(low, 3);
    expect(found.high).toBeCloseTo(high, 3);
  });

  test('Wilson agrees with the closed form to the last digit', () => {
    // Ends of the interval are the shares at which the score test is exactly at its level.
    for (const [hits, count] of [
      [6, 15],
      [90, 100],
      [1, 7],
    ] as const)
      for (const end of Object.values(wilson(hits, count)))
        expect(Math.abs(hits / count - end) / Math.sqrt((end * (1 - end)) / count)).toBeCloseTo(1.959963984540054, 9);
  });

  test.each([
    [30, 30, 0.92, 1],
    [6, 15, 0.188, 0.647],
  ])('Jeffreys of %d/%d', (hits, count, low, high) => {
    const found = jeffreys(hits, count);
    expect(found.low).toBeCloseTo(low, 3);
    expect(found.high).toBeCloseTo(high, 3);
  });

  test('intervals hold the estimate, are mirrored, and shrink with more trials', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(400), (count, some) => {
        const hits = some % (count + 1);
        for (const interval of [wilson, jeffreys]) {
          const { low, high } = interval(hits, count);
          expect(low).toBeLessThanOrEqual(hits / count + 1e-12);
          expect(high).toBeGreaterThanOrEqual(hits / count - 1e-12);
          const mirror = interval(count - hits, count);
          expect(mirror.low).toBeCloseTo(1 - high, 9);
          expect(interval(hits, count, 0.99).low).toBeLessThanOrEqual(low + 1e-12);
          const more = interval(hits * 4, count * 4);
          expect(more.high - more.low).toBeLessThan(high - low);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('pairs', () => {
  test.each([
    [6, 0, 0.03125, null],
    [5, 0, 0.0625, null],
    [8, 2, 0.109375, 0.0654296875],
    [0, 0, 1, 1],
  ])('McNemar of %d and %d', (a, b, p, midP) => {
    expect(mcnemar(a, b).p).toBeCloseTo(p, 12);
    expect(mcnemar(b, a).p).toBeCloseTo(p, 12);
    if (midP !== null) expect(mcnemar(a, b).midP).toBeCloseTo(midP, 12);
  });

  test('McNemar of 17 and 1', () => expect(mcnemar(17, 1).p).toBeCloseTo(0.00014496, 8));

  test('McNemar is what counting every outcome gives', () => {
    for (let count = 1; count <= 12; count++)
      for (let a = 0; a <= count; a++) {
        let extreme = 0;
        for (let outcome = 0; outcome < 2 ** count; outcome++) {
          const ones = outcome.toString(2).replaceAll('0', '').length;
          if (Math.abs(2 * ones - count) >= Math.abs(2 * a - count)) extreme++;
        }
        expect(mcnemar(a, count - a).p).toBeCloseTo(Math.min(1, extreme / 2 ** count), 10);
      }
  });

  test('Newcombe of the published table', () => {
    const { difference, low, high } = newcombe({ both: 20, onlyB: 17, onlyA: 1, neither: 7 });
    expect(difference).toBeCloseTo(0.356, 3);
    expect(low).toBeCloseTo(0.186, 3);
    expect(high).toBeCloseTo(0.497, 3);
  });

  test('Newcombe changes its sign with the order', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(40), (both, onlyA, onlyB, neither) => {
        const one = newcombe({ both, onlyA, onlyB, neither });
        const other = newcombe({ both, onlyA: onlyB, onlyB: onlyA, neither });
        expect(other.low).toBeCloseTo(-one.high, 12);
        expect(one.low).toBeLessThanOrEqual(one.difference);
        expect(one.high).toBeGreaterThanOrEqual(one.difference);
      }),
    );
  });

  test('the sign-flip test has the p that its units allow', () => {
    const random = seeded(1);
    expect(signFlip([1, 1, 1, 1, 1, 1], random)).toEqual({ p: 2 ** -5, least: 2 ** -5, isExact: true });
    expect(signFlip([0.1, 0.2, 0.3], random).p).toBe(0.25);
    // 3 − 1 − 1 = 1: totals of all signs are ±5, ±3, ±3, ±1.
    expect(signFlip([3, -1, -1], random).p).toBe(1);
    expect(signFlip([3, 1, -1], random).p).toBe(0.75);
    expect(signFlip([0, 0], random).p).toBe(1);
  });

  test('the drawn sign-flip test comes near the exact one', () => {
    const random = seeded(3);
    const units = Array.from({ length: 20 }, () => gaussian(random) + 0.4);
    const total = Math.abs(units.reduce((sum, unit) => sum + unit, 0));
    let extreme = 0;
    for (let signs = 0; signs < 2 ** 20; signs++) {
      let sum = 0;
      for (let index = 0; index < 20; index++) sum += (signs >> index) & 1 ? units[index]! : -units[index]!;
      if (Math.abs(sum) >= total - 1e-9) extreme++;
    }
    const found = signFlip(units, random);
    expect(found.isExact).toBe(false);
    expect(Math.abs(found.p - extreme / 2 ** 20)).toBeLessThan(0.012);
  });
});

describe('families and sizes', () => {
  test('Holm of the published values', () => {
    const found = holm([0.003, 0.02, 0.04, 0.012, 0.3, 0.6]);
    for (const [index, p] of [0.018, 0.08, 0.12, 0.06, 0.6, 0.6].entries()) expect(found[index]).toBeCloseTo(p, 12);
    expect(holm([])).toEqual([]);
    // The second could never have reached 0.03, the third could.
    expect(holm([0.03, 1, 0.5], [0.03, 1, 0.03])).toEqual([0.06, 1, 0.5]);
    expect(holm([0.03, 1, 1], [0.03, 1, 1])).toEqual([0.03, 1, 1]);
  });

  test('Holm never lowers a p and keeps their order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (values) => {
        const adjusted = holm(values);
        for (const [i, a] of values.entries()) {
          expect(adjusted[i]!).toBeGreaterThanOrEqual(a);
          for (const [j, b] of values.entries()) if (a < b) expect(adjusted[i]!).toBeLessThanOrEqual(adjusted[j]!);
        }
      }),
    );
  });

  test.each([
    [30, 0.229, 0.162, 0.41],
    [90, 0.132, 0.093, 0.24],
    [300, 0.072, 0.051, 0.13],
    [1000, 0.04, 0.028, 0.07],
  ])('what %d probes can see', (count, fifth, tenth, grades) => {
    expect(detectable(Math.sqrt(0.2), count)).toBeCloseTo(fifth, 3);
    expect(detectable(Math.sqrt(0.1), count)).toBeCloseTo(tenth, 3);
    expect(detectable(0.8, count)).toBeCloseTo(grades, 2);
  });

  test('how often the rule of thumb sees a win of equal candidates somewhere in six dimensions', () => {
    const chance = (deviation: number): number => 1 - normalCdf(0.3 / (deviation / Math.sqrt(30))) ** 6;
    expect(chance(0.8)).toBeCloseTo(0.11, 2);
    expect(chance(1)).toBeCloseTo(0.27, 2);
  });

  test('probes that are needed, and what groups cost', () => {
    expect([0.5, 0.8, 1].map((deviation) => Math.ceil(pairsNeeded(deviation, 0.3)))).toEqual([22, 56, 88]);
    expect(designEffect(10, 0.1)).toBeCloseTo(1.9, 12);
    expect(designEffect(10, 0.2)).toBeCloseTo(2.8, 12);
    expect(effectiveCount(90, 10, 0.1)).toBeCloseTo(90 / 1.9, 12);
  });

  test('correlation within groups is 1 when groups agree in themselves, and about 0 without groups', () => {
    expect(
      intraclass([
        [1, 1, 1],
        [0, 0, 0],
        [2, 2, 2],
      ]),
    ).toBe(1);
    const random = seeded(5);
    const groups = Array.from({ length: 200 }, () => Array.from({ length: 10 }, () => gaussian(random)));
    expect(intraclass(groups)).toBeLessThan(0.03);
    const shifted = groups.map((group) => {
      const shift = gaussian(random);
      return group.map((value) => value + shift);
    });
    expect(intraclass(shifted)).toBeCloseTo(0.5, 1);
  });
});

describe('raters', () => {
  test('the published tables', () => {
    const first = agreement({ bothPass: 40, onlyJudge: 5, onlyHuman: 10, bothFail: 45 });
    expect(first.exact).toBeCloseTo(0.85, 12);
    expect(first.kappa).toBeCloseTo(0.7, 12);
    expect(first.ac1).toBeCloseTo(0.701, 3);
    expect(first.sensitivity).toBeCloseTo(0.8, 12);
    expect(first.specificity).toBeCloseTo(0.9, 12);
    const second = agreement({ bothPass: 95, onlyJudge: 2, onlyHuman: 3, bothFail: 0 });
    expect(second.exact).toBeCloseTo(0.95, 12);
    expect(second.kappa).toBeCloseTo(-0.025, 3);
  });

  test('the corrected score', () => {
    const rates = { specificity: 0.9, sensitivity: 0.95, count: 200, humanFailed: 50, humanPassed: 50 };
    const found = correctedShare({ ...rates, passed: 0.8 });
    expect(found?.score).toBeCloseTo(0.8235, 4);
    expect(found?.error).toBeCloseTo(0.0456, 4);
    expect(correctedShare({ ...rates, passed: 0.05 })?.score).toBe(0);
    expect(correctedShare({ ...rates, passed: 0.8, sensitivity: 0.3 })).toBeNull();
  });
});

describe('resampling', () => {
  const clusters = (random: () => number, shift: number): readonly (readonly ResampledProbe[])[] =>
    Array.from({ length: 12 }, () =>
      Array.from({ length: 10 }, () => ({ count: 1, sums: [shift + gaussian(random)] })),
    );

  test('the interval of one sample is about that of Student’s t', () => {
    const values = Array.from({ length: 40 }, (_, index) => [{ count: 1, sums: [Math.sin(index * 7) + 0.2] }]);
    const plain = values.map(([item]) => item!.sums[0]!);
    const { low, high } = percentileInterval(resampleClusters(values, { resamples: 10_000, random: seeded(1) }), 0.95);
    const half = tQuantile(0.975, 39) * Math.sqrt(variance(plain) / 40);
    expect(low).toBeCloseTo(mean(plain) - half, 1);
    expect(high).toBeCloseTo(mean(plain) + half, 1);
  });

  test('holds the truth about as often as it says, with few groups', () => {
    const random = seeded(11);
    let held = 0;
    const rounds = 300;
    for (let round = 0; round < rounds; round++) {
      const groups = Array.from({ length: 6 }, () => {
        const shift = gaussian(random);
        return Array.from({ length: 8 }, () => ({ count: 1, sums: [shift + 0.5 * gaussian(random)] }));
      });
      const { low, high } = percentileInterval(resampleClusters(groups, { resamples: 1000, random }), 0.95);
      if (low <= 0 && high >= 0) held++;
    }
    expect(held / rounds).toBeGreaterThan(0.92);
  });

  test('is the same for the same seed, and turned around for the opposite differences', () => {
    const random = seeded(2);
    const groups = clusters(random, 0.3);
    const opposite = groups.map((group) => group.map(({ count, sums }) => ({ count, sums: sums.map((sum) => -sum) })));
    for (const resample of [resampleClusters, resampleWithin]) {
      const interval = (data: typeof groups) =>
        percentileInterval(resample(data, { resamples: 500, random: seeded(9) }), 0.95);
      expect(interval(groups)).toEqual(interval(groups));
      expect(interval(opposite).low).toBeCloseTo(-interval(groups).high, 12);
      expect(interval(groups).low).toBeLessThan(interval(groups).high);
    }
  });

  test('runs that differ make the interval of fixed fixtures wider', () => {
    const groups = (noise: number) =>
      [0, 1].map(() =>
        Array.from({ length: 10 }, (_, probe) => ({
          count: 1,
          sums: [probe / 10 - noise, probe / 10, probe / 10 + noise],
        })),
      );
    const width = (noise: number): number => {
      const { low, high } = percentileInterval(
        resampleWithin(groups(noise), { resamples: 2000, random: seeded(4) }),
        0.95,
      );
      return high - low;
    };
    expect(width(0.5)).toBeGreaterThan(2 * width(0));
  });

  test('numbers are even and repeat for a seed', () => {
    const random = seeded(42);
    const values = Array.from({ length: 20_000 }, () => random());
    expect(mean(values)).toBeCloseTo(0.5, 1);
    expect(variance(values)).toBeCloseTo(1 / 12, 2);
    const again = seeded(42);
    expect(values.slice(0, 5)).toEqual([again(), again(), again(), again(), again()]);
    expect(seeded(43)()).not.toBe(values[0]);
  });

  test('quantiles and medians', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantileOf([0, 10], 0.25)).toBe(2.5);
    expect(variance([5])).toBe(0);
  });
});
