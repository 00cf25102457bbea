import { describe, expect, test } from 'vitest';
import { plainRules } from '../../../test/replay/support.ts';
import type { EventRecord } from '../simulate/event.ts';
import type { ReplayResult } from '../simulate/result.ts';
import { metricsOf } from './metrics.ts';
import { medianStretch, stretchesOf } from './stretches.ts';

const event: EventRecord = {
  request: 4,
  op: 'prune',
  isForced: false,
  tokensBefore: 1_000,
  tokensAfter: 600,
  firstChangedIndex: 3,
  stableTokens: 200,
  rewrittenTokens: 400,
  isWarm: true,
  usd: 10,
  breakEvenRequests: 2,
  paidBack: true,
  reason: '',
};

const bill = { read: 1_000, write: 100, uncached: 10, output: 20, usd: 100 + 125 + 10 + 100 };
const auxiliary = { read: 0, write: 0, uncached: 10, output: 4, usd: 30 };

function resultOf(change: Partial<ReplayResult>): ReplayResult {
  return {
    version: 1,
    session: 'a',
    policy: 'p',
    rules: 'plain',
    requests: 10,
    userTurns: 2,
    window: 1_000,
    events: [],
    auxiliary: { calls: 0, bill: { read: 0, write: 0, uncached: 0, output: 0, usd: 0 } },
    total: bill,
    usd: bill.usd,
    peakTokens: 900,
    meanTokens: 500,
    hitRatio: 0.9,
    sizes: [100, 200, 300, 400, 500, 600, 700, 800, 900, 100],
    spent: [10, 20, 30, 40, 50, 60, 70, 80, 90, bill.usd],
    facts: { all: 10, kept: 8, critical: { all: 2, kept: 2 } },
    rereads: { count: 1, tokens: 50, usd: 3 },
    failedAt: null,
    rejected: [],
    ...change,
  };
}

describe('stretches without an event', () => {
  test('the one after the last event only says at least so long', () => {
    expect(stretchesOf(10, [4, 7])).toEqual([
      { length: 4, isEnded: true },
      { length: 3, isEnded: true },
      { length: 3, isEnded: false },
    ]);
    expect(stretchesOf(10, [])).toEqual([{ length: 10, isEnded: false }]);
  });

  test('their median is that of Kaplan and Meier', () => {
    // At 3: 1 of 5 ends, .8 left. One is cut off at 3. At 4: 1 of 3, .533 left. At 9: 1 of 2, .267 left.
    const stretches = [
      { length: 3, isEnded: true },
      { length: 3, isEnded: false },
      { length: 4, isEnded: true },
      { length: 9, isEnded: true },
      { length: 12, isEnded: false },
    ];
    expect(medianStretch(stretches)).toBe(9);
    expect(medianStretch(stretches.slice(0, 2))).toBe(3);
    expect(medianStretch([{ length: 3, isEnded: true }, ...Array(3).fill({ length: 5, isEnded: false })])).toBeNull();
  });
});

describe('metrics', () => {
  const second = {
    ...event,
    request: 7,
    op: 'summary' as const,
    tokensAfter: 980,
    firstChangedIndex: 1,
    stableTokens: 100,
    paidBack: false,
  };
  const one = resultOf({ events: [event, second], auxiliary: { calls: 1, bill: auxiliary } });
  const pooled = metricsOf([one, resultOf({ session: 'b' })], plainRules);

  test('the seven, over two sessions of ten requests', () => {
    expect(pooled.eventsPer100).toBe(10);
    expect(pooled.eventsPerUserTurn).toBe(0.5);
    // Stretches 4 and 3, cut off at 3 and 10: .75 after 3, .375 after 4.
    expect(pooled.gaps).toEqual({ mean: 3.5, min: 3, median: 4 });
    expect(pooled.auxiliary).toEqual({ calls: 1, perSession: 0.5, bill: auxiliary });
    expect(pooled.reclaimed?.mean).toBe(210);
    expect(pooled.reclaimed?.byCycle).toEqual([0.4, 0.02]);
    expect(pooled.tokens).toEqual({ read: 2_000, write: 200, uncached: 20, output: 40 });
    expect(pooled.earliest).toMatchObject({
      minIndex: 1,
      medianIndex: 2,
      medianStableTokens: 150,
      medianRewrittenTokens: 400,
    });
    expect(pooled.kinds).toEqual({ prune: 1, summary: 1, truncate: 0 });
  });

  test('no event is none, not 0 or endless', () => {
    expect(metricsOf([resultOf({})], plainRules)).toMatchObject({
      gaps: null,
      reclaimed: null,
      earliest: null,
      events: 0,
    });
  });

  test('the split adds up to the cost', () => {
    const { read, write, uncached, output, auxiliary: calls } = pooled.split;
    expect(read + write + uncached + output + calls).toBeCloseTo(pooled.usd);
    expect(read).toBeCloseTo(200);
    expect(calls).toBe(30);
  });

  test('fill, payback, hits, facts and what a longer session would cost', () => {
    expect(pooled).toMatchObject({ above50: 0.4, above80: 0.1, paidBack: { yes: 1, no: 1, never: 0 }, stuck: 0 });
    expect(pooled.hitRatio).toBeCloseTo(2_000 / 2_220);
    expect(pooled.writeAmplification).toBe(0.1);
    expect(pooled.facts).toEqual({ all: 20, kept: 16, critical: { all: 4, kept: 4 } });
    // 40 were spent before the first event.
    expect(pooled.usdIfLonger).toBeCloseTo(2 * bill.usd + 0.15 * (bill.usd - 40));
  });

  test('two events in a row that free less than 5 % are stuck; one unknown summary makes facts unknown', () => {
    const stuck = resultOf({
      events: [second, second],
      facts: { all: 4, kept: null, critical: { all: 1, kept: null } },
    });
    expect(metricsOf([stuck, one], plainRules)).toMatchObject({ stuck: 1, facts: { all: 14, kept: null } });
  });
});
