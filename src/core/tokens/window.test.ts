import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PrecisError } from '../errors.ts';
import {
  type LimitsInput,
  limitsFor,
  limitsOfMessages,
  type ModelWindow,
  reservedOutputOf,
  reservingFor,
  UNKNOWN_WINDOW,
} from './window.ts';

const large: ModelWindow = { id: 'large', contextWindow: 1_000_000, maxOutput: 128_000 };
const middle: ModelWindow = { id: 'middle', contextWindow: 200_000, maxOutput: 64_000 };
const small: ModelWindow = { id: 'small', contextWindow: 8_192, maxOutput: 8_192 };

describe('the effective window', () => {
  test('is the smallest of the chain after its reserved output, so that a fallback can take over', () => {
    expect(limitsFor({ models: [large] }).window).toBe(968_000);
    expect(limitsFor({ models: [large, middle] }).window).toBe(168_000);
    expect(limitsFor({ models: [middle, large] }).window).toBe(168_000);
  });

  test('reserves what the model can write, but never more than a fifth of its window or 32,000', () => {
    expect(reservedOutputOf(large)).toBe(32_000);
    expect(reservedOutputOf(small)).toBe(1_638);
    expect(reservedOutputOf({ id: 'x', contextWindow: 128_000, maxOutput: 4_096 })).toBe(4_096);
    expect(reservedOutputOf({ id: 'x', contextWindow: 100_000, maxOutput: null })).toBe(20_000);
  });

  test('takes the reserved output it is given, for every model', () => {
    expect(limitsFor({ models: [large, middle], reservedOutput: 8_000 }).window).toBe(192_000);
    expect(limitsFor({ models: [middle], reservedOutput: 0 }).window).toBe(200_000);
  });

  test('can be given, and then replaces the chain', () => {
    expect(limitsFor({ models: [small], window: 50_000 }).window).toBe(50_000);
    expect(limitsFor({ window: 50_000, reservedOutput: 10_000 }).window).toBe(40_000);
  });

  test('assumes an unknown model when there is none', () => {
    expect(limitsFor({}).window).toBe(UNKNOWN_WINDOW - 25_600);
  });
});

describe('the threshold', () => {
  test('is 75 % below 512,000 tokens and 50 % from there', () => {
    expect(limitsFor({ window: 511_999 }).threshold).toBe(383_999);
    expect(limitsFor({ window: 512_000 }).threshold).toBe(256_000);
  });

  test('can be another part of the window, and can be capped', () => {
    expect(limitsFor({ window: 100_000, thresholdRatio: 0.9 }).threshold).toBe(90_000);
    expect(limitsFor({ window: 1_000_000, thresholdCap: 200_000 }).threshold).toBe(200_000);
    expect(limitsFor({ window: 100_000, thresholdCap: 200_000 }).threshold).toBe(75_000);
  });
});

describe('the targets', () => {
  test('leave the published runway where it is asked for: 128,000 at a half gives 64,000, 9,600 and 54,400', () => {
    const limits = limitsFor({ window: 128_000, thresholdRatio: 0.5, condenseRatio: 0.85 });
    expect(limits).toMatchObject({ threshold: 64_000, runway: 9_600, condenseTarget: 54_400 });
  });

  test('are one by default, since stopping further up breaks the cache more often', () => {
    expect(limitsFor({ window: 200_000 })).toMatchObject({
      condenseTarget: 52_500,
      foldTarget: 52_500,
      runway: 97_500,
    });
    expect(limitsFor({ window: 200_000, targetRatio: 0.5 })).toMatchObject({
      condenseTarget: 75_000,
      foldTarget: 75_000,
    });
  });

  test('what was held back is tried again after 15 % of the threshold, or 5,000 tokens in small windows', () => {
    expect(limitsFor({ window: 200_000 }).rearm).toBe(22_500);
    expect(limitsFor({ window: 40_000 }).rearm).toBe(5_000);
  });

  test('fold to 35 % of the threshold, or to another part', () => {
    expect(limitsFor({ window: 200_000 }).foldTarget).toBe(52_500);
    expect(limitsFor({ window: 200_000, targetRatio: 0.5 }).foldTarget).toBe(75_000);
  });

  test('are both replaced by a target that is given', () => {
    const limits = limitsFor({ window: 200_000, target: 30_000 });
    expect(limits).toMatchObject({ condenseTarget: 30_000, foldTarget: 30_000, threshold: 150_000, runway: 120_000 });
    expect(limits.tailTokens).toBe(4_333);
  });

  test('that are given lift a threshold that was only derived', () => {
    expect(limitsFor({ window: 32_000, target: 30_000 })).toMatchObject({ threshold: 30_001, foldTarget: 30_000 });
  });

  test('condensing is good enough where folding would land, in windows too small for a runway', () => {
    expect(limitsFor({ window: 6_000 })).toMatchObject({ threshold: 4_500, foldTarget: 1_575, condenseTarget: 1_575 });
  });
});

describe('protection', () => {
  test.each([
    [1_000_000, 100_000],
    [500_000, 100_000],
    [499_999, 40_000],
    [128_000, 40_000],
    [127_999, 20_000],
    [64_000, 20_000],
    [63_999, 10_000],
    [40_000, 10_000],
  ])('of recent tool output in a window of %i is %i tokens', (window, tokens) => {
    expect(limitsFor({ window, condenseRatio: 0.85 }).condensedLastTokens).toBe(tokens);
  });

  test('of recent tool output is at most half of the condense target', () => {
    expect(limitsFor({ window: 16_000 }).condensedLastTokens).toBe(2_100);
  });

  test.each([
    [1_000_000, 25_000],
    [800_000, 20_000],
    [200_000, 8_083],
    [60_000, 1_958],
    [15_000, 0],
  ])('of the tail in a window of %i is %i tokens', (window, tokens) => {
    expect(limitsFor({ window }).tailTokens).toBe(tokens);
  });
});

describe('sizes that cannot work', () => {
  const message = (input: LimitsInput): string => {
    try {
      limitsFor(input);
    } catch (error) {
      expect(PrecisError.is(error) && error.code).toBe('bad-option');
      return (error as Error).message;
    }
    return 'accepted';
  };

  test('are refused with what was expected and what was given', () => {
    expect(message({ window: -1 })).toBe('Expected `window` to be an integer of at least 16, got `-1` (number)');
    expect(message({ window: 1.5 })).toContain('`window`');
    expect(message({ window: 100_000, targetRatio: 1 })).toBe(
      'Expected `targetRatio` to be a number above 0 and below 1, got `1` (number)',
    );
    expect(message({ window: 100_000, thresholdRatio: Number.NaN })).toContain('`thresholdRatio`');
    expect(message({ window: 100_000, reservedOutput: 100_000 })).toContain('leave room');
    expect(message({ models: [small], reservedOutput: 9_000 })).toContain('contextWindow of small');
    expect(message({ models: [{ id: 'm', contextWindow: 0, maxOutput: 1 }] })).toContain('contextWindow of m');
    expect(message({ window: 100_000, thresholdCap: 20_000, target: 20_000 })).toContain('from 1 to 19999');
    expect(message({ window: 100_000, target: 100_000 })).toContain('from 1 to 99998');
  });
});

test('tail < target < threshold < window, whatever the window and the options', () => {
  const size = fc.oneof(fc.integer({ min: 16, max: 20_000 }), fc.integer({ min: 16, max: 20_000_000 }));
  const part = fc.double({ min: 0.001, max: 0.999, noNaN: true });
  const cap = fc.integer({ min: 2, max: 2_000_000 });
  fc.assert(
    fc.property(size, fc.option(part), fc.option(cap), fc.option(part), (window, threshold, thresholdCap, target) => {
      const limits = limitsFor({
        window,
        ...(threshold === null ? {} : { thresholdRatio: threshold }),
        ...(thresholdCap === null ? {} : { thresholdCap }),
        ...(target === null ? {} : { targetRatio: target }),
      });
      expect(limits.threshold).toBeLessThan(limits.window);
      expect(limits.condenseTarget).toBeLessThan(limits.threshold);
      expect(limits.foldTarget).toBeLessThanOrEqual(limits.condenseTarget);
      expect(limits.foldTarget).toBeGreaterThan(0);
      expect(limits.tailTokens).toBeLessThan(limits.foldTarget);
      expect(limits.condensedLastTokens).toBeLessThan(limits.condenseTarget);
      expect(limits.runway).toBe(limits.threshold - limits.condenseTarget);
      for (const value of Object.values(limits)) expect(Number.isInteger(value)).toBe(true);
    }),
  );
});

describe('the fixed part of a request', () => {
  const bare = limitsFor({ window: 100_000 });

  test('is subtracted before any share is taken, and is part of every size', () => {
    const limits = limitsFor({ window: 140_000, fixedTokens: 40_000 });
    const { window, threshold, foldTarget, condenseTarget, ...rest } = bare;
    expect(limits).toEqual({
      ...rest,
      fixed: 40_000,
      window: window + 40_000,
      threshold: threshold + 40_000,
      foldTarget: foldTarget + 40_000,
      condenseTarget: condenseTarget + 40_000,
    });
    expect(limitsOfMessages(limits)).toEqual({ ...bare, fixed: 40_000 });
  });

  test('of 58 % of the window leaves a threshold above it, and targets between them', () => {
    const { fixed, foldTarget, threshold, window } = limitsFor({ window: 16_000, fixedTokens: 9_280 });
    expect([fixed, foldTarget, threshold, window]).toEqual([9_280, 11_044, 14_320, 16_000]);
  });

  test('larger than the window does not throw, with a target or without', () => {
    for (const target of [{}, { target: 1_000 }, { target: 30_000 }])
      for (const fixedTokens of [7_990, 7_995, 8_000, 20_000]) {
        if (target.target === 30_000 && fixedTokens === 7_990) continue;
        const limits = limitsFor({ window: 8_000, fixedTokens, ...target });
        expect(limits.foldTarget).toBeGreaterThan(fixedTokens);
        expect(limits.threshold).toBeGreaterThan(limits.foldTarget);
      }
  });

  test('belongs to a target that is given, which is one of the whole request', () => {
    expect(limitsFor({ window: 100_000, fixedTokens: 20_000, target: 50_000 }).foldTarget).toBe(50_000);
    expect(limitsOfMessages(limitsFor({ window: 100_000, fixedTokens: 20_000, target: 50_000 })).foldTarget).toBe(
      30_000,
    );
    expect(() => limitsFor({ window: 100_000, fixedTokens: 20_000, target: 99_999 })).toThrow('from 1 to 99998');
  });
});

describe('the answer that a request allows', () => {
  test('is reserved, unless the caller says how much to reserve', () => {
    expect(limitsFor(reservingFor({ window: 100_000 }, 30_000))).toMatchObject({ window: 70_000, output: 30_000 });
    expect(limitsFor(reservingFor({ models: [large, middle] }, 64_000)).window).toBe(136_000);
    expect(limitsFor(reservingFor({ window: 100_000, reservedOutput: 1_000 }, 30_000)).window).toBe(99_000);
    expect(reservingFor({ window: 100_000 }, null)).toEqual({ window: 100_000 });
  });

  test('leaves the smallest room when it would take the whole window', () => {
    for (const output of [99_999, 100_000, 400_000]) {
      const { window, output: reserved } = limitsFor(reservingFor({ window: 100_000 }, output));
      expect(window + reserved).toBe(100_000);
      expect(window).toBeLessThan(20);
    }
  });

  test('never makes a target impossible that the window holds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 400_000 }),
        fc.record(
          {
            target: fc.integer({ min: 1, max: 300_000 }),
            fixedTokens: fc.integer({ min: 0, max: 100_000 }),
            thresholdRatio: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
          },
          { requiredKeys: ['target'] },
        ),
        fc.integer({ min: 1, max: 500_000 }),
        (window, sizes, output) => {
          const input = { window, ...sizes };
          if (!works(input)) return;
          expect(works(reservingFor(input, output))).toBe(true);
        },
      ),
    );
  });
});

function works(input: LimitsInput): boolean {
  try {
    limitsFor(input);
    return true;
  } catch {
    return false;
  }
}
