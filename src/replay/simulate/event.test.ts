import { describe, expect, test } from 'vitest';
import { plainRules } from '../../../test/replay/support.ts';
import type { ReplayItem } from '../view/item.ts';
import { eventOf } from './event.ts';

function sized(...sizes: readonly number[]): readonly ReplayItem[] {
  return sizes.map((tokens, at) => ({ index: at, id: `${at}`, tokens, role: 'user', isOutput: false, message: null }));
}

const change = { op: 'summary', view: [], calls: [], reason: 'test' } as const;
const base = { request: 9, change, isForced: false, rules: plainRules, fixedTokens: 0, left: 100 };

/** The worked numbers of 150,000 tokens at .10, 1.25 and 5. */
describe('payback of', () => {
  test('an aligned summary to 50,000, the first 20,000 unchanged: 69,500 and 7 requests', () => {
    const callsUsd = 0.1 * 150_000 + 5 * 4_000;
    const event = eventOf({
      ...base,
      changedAt: 1,
      old: sized(20_000, 130_000),
      freed: 100_000,
      callsUsd,
      isWarm: true,
    });
    expect(event).toMatchObject({ stableTokens: 20_000, rewrittenTokens: 30_000, tokensAfter: 50_000 });
    expect(event.usd).toBeCloseTo(69_500);
    expect(event.breakEvenRequests).toBeCloseTo(6.95);
    expect(event.paidBack).toBe(true);
  });

  test.each([
    ['early', 30_000, 120_000, 34.5],
    ['late', 100_000, 50_000, 7.667],
  ])('pruning 30,000 with the first change %s', (_, stable, rest, requests) => {
    const event = eventOf({
      ...base,
      changedAt: 1,
      old: sized(stable, rest),
      freed: 30_000,
      callsUsd: 0,
      isWarm: true,
    });
    expect(event.breakEvenRequests).toBeCloseTo(requests, 2);
  });

  test('a summary of a cold cache: 4.5 requests, from the second on', () => {
    const callsUsd = 150_000 + 5 * 4_000;
    const input = { ...base, changedAt: 1, old: sized(20_000, 130_000), freed: 100_000, callsUsd, isWarm: false };
    expect(eventOf(input).breakEvenRequests).toBeCloseTo(4.5);
    expect(eventOf({ ...input, left: 5 }).paidBack).toBe(false);
    expect(eventOf({ ...input, left: 6 }).paidBack).toBe(true);
  });

  test('pruning a cold cache is free at once, and what frees nothing never pays', () => {
    const cold = eventOf({ ...base, changedAt: 0, old: sized(50_000), freed: 10_000, callsUsd: 0, isWarm: false });
    expect(cold.usd).toBe(-12_500);
    expect(cold.breakEvenRequests).toBe(0);
    const useless = eventOf({ ...base, changedAt: 0, old: sized(50_000), freed: -10, callsUsd: 0, isWarm: true });
    expect([useless.breakEvenRequests, useless.paidBack]).toEqual([null, null]);
  });
});
