import { describe, expect, it } from 'vitest';
import { calibrate, isPlausible, learn, UNCALIBRATED } from './calibrate.ts';
import { NO_PRESSURE, readPressure } from './pressure.ts';
import { readUsage } from './usage.ts';

describe('usage of a provider', () => {
  const usage = (
    inputTokens: number,
    cachedInputTokens: number,
    cacheWriteTokens: number,
    outputTokens: number,
  ): object => ({
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens,
  });

  it.each([
    [
      'Anthropic, which leaves out what is cached',
      { input_tokens: 10, cache_read_input_tokens: 900, cache_creation_input_tokens: 90, output_tokens: 5 },
      usage(1_000, 900, 90, 5),
    ],
    ['Anthropic without a cache', { input_tokens: 10, output_tokens: 5 }, usage(10, 0, 0, 5)],
    [
      'OpenAI chat',
      { prompt_tokens: 1_000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 896 } },
      usage(1_000, 896, 0, 5),
    ],
    [
      'OpenAI Responses',
      { input_tokens: 1_000, output_tokens: 5, input_tokens_details: { cached_tokens: 896 } },
      usage(1_000, 896, 0, 5),
    ],
    [
      'Gemini',
      { promptTokenCount: 1_000, cachedContentTokenCount: 700, candidatesTokenCount: 5 },
      usage(1_000, 700, 0, 5),
    ],
    ['the AI SDK', { inputTokens: 1_000, cachedInputTokens: 700, outputTokens: 5 }, usage(1_000, 700, 0, 5)],
    [
      'a provider of the AI SDK',
      { inputTokens: { total: 1_000, cacheRead: 700, cacheWrite: 50 }, outputTokens: { total: 5 } },
      usage(1_000, 700, 50, 5),
    ],
    ['DeepSeek', { prompt_tokens: 1_000, prompt_cache_hit_tokens: 640, completion_tokens: 5 }, usage(1_000, 640, 0, 5)],
  ])('is read from %s', (_who, raw, expected) => {
    expect(readUsage(raw)).toEqual(expected);
  });

  it.each([null, undefined, 'x', 7, {}, { input_tokens: -1 }, { input_tokens: Number.NaN }, { prompt_tokens: '5' }])(
    'is not made up: %j',
    (raw) => {
      expect(readUsage(raw)).toBeNull();
    },
  );
});

describe('calibration', () => {
  it('tells the factor from growth, and the rest is sent beside the messages', () => {
    let known = UNCALIBRATED;
    for (let estimated = 5_000; estimated <= 60_000; estimated += 5_000)
      known = calibrate(known, { estimated, counted: estimated * 1.3 + 8_000 }, null);
    expect(known.factor).toBeCloseTo(1.3, 2);
    expect(known.overhead).toBeCloseTo(8_000, -2);
  });

  it('takes the rest of the first reading for what is sent beside, which errs on the safe side', () => {
    expect(calibrate(UNCALIBRATED, { estimated: 10_000, counted: 13_000 }, null)).toMatchObject({
      factor: 1,
      overhead: 3_000,
    });
    expect(calibrate(UNCALIBRATED, { estimated: 10_000, counted: 15_000 }, 2_000)).toMatchObject({
      factor: 1.3,
      overhead: 2_000,
    });
  });

  it('moves little by one odd reading, and never out of bounds', () => {
    let known = UNCALIBRATED;
    for (let estimated = 5_000; estimated <= 50_000; estimated += 5_000)
      known = calibrate(known, { estimated, counted: estimated }, null);
    const odd = calibrate(known, { estimated: 55_000, counted: 55_000 + 9_000 }, null);
    expect(Math.abs(odd.factor - known.factor)).toBeLessThanOrEqual(0.15);
    for (let at = 0; at < 50; at++) {
      const estimated = 60_000 + at * 5_000;
      known = calibrate(known, { estimated, counted: estimated * 6 }, null);
    }
    expect(known.factor).toBeLessThanOrEqual(3);
  });

  it('does not believe what cannot be', () => {
    expect(isPlausible(10_000, 4_000, 200_000)).toBe(false);
    expect(isPlausible(10_000, 300_000, 200_000)).toBe(false);
    expect(isPlausible(10_000, 60_000, 200_000)).toBe(true);
  });

  it('forgets what sums over a session taught, and takes no further sum', () => {
    for (const start of [200, 30_000]) {
      let known = UNCALIBRATED;
      let counted = 0;
      const told = Array.from({ length: 20 }, (_, at) => {
        const estimated = start + (at % 12) * 900;
        counted += estimated;
        const lesson = learn(known, { estimated, counted }, { fixed: null, window: 128_000 });
        known = lesson.calibration;
        return lesson.count;
      });
      expect(told.slice(4)).toEqual(told.slice(4).map(() => 'sum'));
      expect(known).toMatchObject({ factor: 1, overhead: 0 });
    }
  });

  it('does not take tools that come later for a sum', () => {
    let known = UNCALIBRATED;
    for (let at = 0; at < 8; at++) {
      const estimated = 5_000 + at * 500;
      const counted = estimated + (at < 4 ? 0 : 9_000);
      const lesson = learn(known, { estimated, counted }, { fixed: null, window: 128_000 });
      expect(lesson.count).toBe('taken');
      known = lesson.calibration;
    }
    expect(known.overhead).toBeGreaterThan(8_000);
  });
});

describe('pressure', () => {
  const readings = (sizes: readonly number[]): readonly (number | null)[] => {
    let state = NO_PRESSURE;
    return sizes.map((size) => {
      const reading = readPressure(state, size, 1_000);
      state = reading.state;
      return reading.reached;
    });
  };

  it('is told once per level and climb, and again after it has clearly fallen', () => {
    expect(readings([500, 610, 640, 760, 740, 760, 860, 960, 990])).toEqual([
      null,
      0.6,
      null,
      0.75,
      null,
      null,
      0.85,
      0.95,
      null,
    ]);
    expect(readings([960, 300, 620, 590, 620, 540, 620])).toEqual([0.95, null, 0.6, null, null, null, 0.6]);
  });

  it('forecasts the requests that are left, and does not take a compaction for shrinking', () => {
    let state = NO_PRESSURE;
    for (const size of [100, 200, 300, 400]) state = readPressure(state, size, 1_000).state;
    expect(readPressure(state, 500, 1_000).turnsLeft).toBe(5);
    state = readPressure(state, 150, 1_000).state;
    expect(readPressure(state, 250, 1_000).turnsLeft).toBe(7);
    expect(readPressure(NO_PRESSURE, 500, 1_000).turnsLeft).toBeNull();
  });
});
