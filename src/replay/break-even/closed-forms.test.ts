import { describe, expect, test } from 'vitest';
import {
  bestInterval,
  bestTrigger,
  breakEvenRequests,
  type CallKind,
  carryingRate,
  coldEventCost,
  type EventShape,
  eventCost,
  fixedCost,
  meanCost,
  type Rates,
  valueOfTokenNotAdded,
} from './closed-forms.ts';

const summary = (call: CallKind): EventShape => ({
  before: 150_000,
  after: 50_000,
  stable: 20_000,
  summary: 4_000,
  call,
});
/** 30,000 tokens removed of 150,000, the first of them at this token. */
const prune = (first: number): EventShape => ({
  before: 150_000,
  after: 120_000,
  stable: first,
  summary: 0,
  call: 'none',
});
const rates = (read: number, write: number, output: number): Rates => ({ read, write, output });

/** Rounded as the published table is. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

describe('one summary and one prune, by class', () => {
  // read, write, output | R in thousands, N* aligned, unaligned, cold, prune early, prune late, L*, T* in thousands
  const table: readonly (readonly [string, Rates, number, number, number, number, number, number, number, number])[] = [
    ['Anthropic 5 m', rates(0.1, 1.25, 5), 69.5, 7.0, 20.4, 4.5, 34.5, 7.7, 24, 99],
    ['Anthropic 1 h', rates(0.1, 2, 5), 92.0, 9.2, 22.7, -3.0, 57.0, 12.7, 29, 107],
    ['Opus 5.5', rates(0.05, 1.25, 5), 63.5, 12.7, 41.2, 9.0, 72.0, 16.0, 34, 118],
    ['Fable 5.1', rates(0.025, 1.25, 5), 60.5, 24.2, 82.7, 18.0, 147, 32.7, 48, 146],
    ['GPT-5.6', rates(0.1, 1.25, 6), 73.5, 7.3, 20.9, 4.9, 34.5, 7.7, 25, 100],
    ['GPT-5.5, Gemini', rates(0.1, 1, 6), 66.0, 6.6, 20.1, 7.4, 27.0, 6.0, 24, 97],
    ['GPT-5 to 5.3', rates(0.1, 1, 8), 74.0, 7.4, 20.9, 8.2, 27.0, 6.0, 25, 101],
    ['GPT-4.1', rates(0.25, 1, 4), 76.0, 3.0, 7.5, 2.6, 9.0, 2.0, 14, 79],
    ['GPT-4o', rates(0.5, 1, 4), 106, 2.1, 3.6, 1.3, 3.0, 0.7, 11, 71],
    ['DeepSeek Flash', rates(0.02, 1, 4), 48.4, 24.2, 97.7, 33.0, 147, 32.7, 48, 146],
    ['no cache', rates(1, 1, 5), 170, 1.7, 1.7, 0.7, 0, 0, 8, 67],
  ];

  test.each(table)('%s', (_name, of, cost, aligned, unaligned, cold, early, late, interval, trigger) => {
    const freed = 100_000;
    const near = (value: number, expected: number): void => {
      // The table rounds halves down in places (7.35 is given as 7.3, 41.25 as 41.2).
      expect(Math.abs(value - expected)).toBeLessThanOrEqual(expected >= 100 ? 0.5 : 0.0501);
    };
    near(eventCost(of, summary('aligned')) / 1000, cost);
    near(breakEvenRequests(eventCost(of, summary('aligned')), freed, of.read), aligned);
    near(breakEvenRequests(eventCost(of, summary('unaligned')), freed, of.read), unaligned);
    near(breakEvenRequests(coldEventCost(of, summary('aligned')), freed, of.read), cold);
    near(breakEvenRequests(eventCost(of, prune(30_000)), 30_000, of.read), early);
    near(breakEvenRequests(eventCost(of, prune(100_000)), 30_000, of.read), late);
    const fixed = fixedCost(of, summary('aligned'));
    expect(rounded(bestInterval(fixed, of.read, 2_000), 0)).toBe(interval);
    const best = bestTrigger(fixed, of.read, { after: 50_000, perRequest: 2_000 });
    expect(rounded(best / 1000, 0)).toBe(trigger);
  });
});

describe('single figures', () => {
  const anthropic = rates(0.1, 1.25, 5);

  test('the cost of growth taken as a fixed cost gives a slightly long interval', () => {
    expect(rounded(bestInterval(fixedCost(anthropic, summary('aligned')), 0.1, 2_000), 0)).toBe(24);
    expect(rounded(bestInterval(eventCost(anthropic, summary('aligned')), 0.1, 2_000), 0)).toBe(26);
  });

  test('a prune when writing is free costs what is written anew over what is freed', () => {
    const free = rates(0.1, 1, 6);
    // W' / freed × (1 − r) / r = 90 / 30 × 9
    expect(breakEvenRequests(eventCost(free, prune(30_000)), 30_000, 0.1)).toBeCloseTo(27, 9);
  });

  test('a prune when the cache is gone is money at once', () => {
    // − 1.25 × 30,000
    expect(coldEventCost(anthropic, prune(30_000))).toBe(-37_500);
  });

  test('idle gaps make carrying dearer', () => {
    // .97 × .025 + .03 × 1.25 = .02425 + .0375
    expect(rounded(carryingRate(rates(0.025, 1.25, 5), 0.03), 3)).toBe(0.062);
    expect(carryingRate(anthropic, 0)).toBe(0.1);
  });

  test('a token that was never added is worth many', () => {
    // 1.25 + 168 × .1 = 18.05; 1.25 + 168 × .025 = 5.45
    expect(rounded(valueOfTokenNotAdded(anthropic, 0.1, 168), 0)).toBe(18);
    expect(valueOfTokenNotAdded(rates(0.025, 1.25, 5), 0.025, 168)).toBeCloseTo(5.45, 9);
  });

  test('the same 30,000 tokens pay back in 7.7 or 34.5 requests', () => {
    expect(rounded(breakEvenRequests(eventCost(anthropic, prune(100_000)), 30_000, 0.1), 1)).toBe(7.7);
    expect(rounded(breakEvenRequests(eventCost(anthropic, prune(30_000)), 30_000, 0.1), 1)).toBe(34.5);
  });

  test('over a price line a summary pays back in 2.4 requests', () => {
    // GPT-5.6 at 280,000: the call is above the line, 2 × 28,000 + 1.5 × 6 × 4,000 = 92,000, and 1.15 × 30,000 are written.
    // Each request costs 2 × 28,000 above the line and 5,000 below: 51,000 less.
    const cost = 2 * 0.1 * 280_000 + 1.5 * 6 * 4_000 + 1.15 * 30_000;
    expect(rounded(cost / (2 * 0.1 * 280_000 - 0.1 * 50_000), 1)).toBeCloseTo(2.5, 9);
    // With the output at 5 times, as GPT-6 has it: 2.36.
    expect(rounded((cost - 1.5 * 4_000) / 51_000, 1)).toBe(2.4);
  });

  test('nothing freed never pays back', () => {
    expect(breakEvenRequests(100, 0, 0.1)).toBe(Number.POSITIVE_INFINITY);
    expect(breakEvenRequests(0, 0, 0.1)).toBe(0);
  });

  test('a penalty makes the interval longer by the root of one plus its share', () => {
    const fixed = fixedCost(anthropic, summary('aligned'));
    const longer = bestInterval(fixed + 30_000, 0.1, 2_000) / bestInterval(fixed, 0.1, 2_000);
    expect(longer).toBeCloseTo(Math.sqrt(1 + 30_000 / fixed), 12);
  });
});

describe('the operator at 150,000 with 2,000 a request', () => {
  const mean = (of: Rates, event: EventShape): number =>
    rounded(
      meanCost({ cost: eventCost(of, event), trigger: 150_000, after: event.after, growth: 2_000, rate: of.read }) /
        1000,
      1,
    );

  test.each([
    ['Anthropic 5 m', rates(0.1, 1.25, 5), 11.4, 15.0, 20.4],
    ['Fable 5.1', rates(0.025, 1.25, 5), 3.7, 5.0, 10.7],
  ] as const)('%s: the summary, though a prune costs less once', (_name, of, whole, late, early) => {
    expect([mean(of, summary('aligned')), mean(of, prune(100_000)), mean(of, prune(30_000))]).toEqual([
      whole,
      late,
      early,
    ]);
    expect(eventCost(of, prune(100_000))).toBeLessThan(eventCost(of, summary('aligned')));
  });
});
