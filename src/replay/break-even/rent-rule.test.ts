import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AFTER, runRent, runTrigger, STABLE, SUMMARY, syntheticSession } from '../../../test/replay/synthetic.ts';
import { exampleProblem } from '../../../test/replay/worked-example.ts';
import { rulesById } from '../cache/rules/by-id.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import { findOptimum } from '../optimum/optimum.ts';
import { fixedOperator } from '../optimum/problem.ts';
import { bestInterval, fixedCost } from './closed-forms.ts';
import {
  afterRequest,
  decideRent,
  NO_RENT,
  observedColdShare,
  type RentRule,
  type RentState,
  type RentView,
} from './rent-rule.ts';

const MINUTE = 60_000;
const event = { stable: STABLE, after: AFTER, summary: SUMMARY, call: 'aligned' } as const;
const rule: RentRule = { rules: rulesById('anthropic-5m'), event, coldShare: 0 };
const late: RentState = { paid: 0, sinceEvent: 20, weakEvents: 0, requests: 40, coldRequests: 0 };
const view: RentView = { carried: 150_000, appended: 2_000, isCold: false, isLegalCut: true };
/** r × 50,000 + 5 × 4,000 + 1.15 × 30,000 */
const FIXED = 59_500;

describe('the worked example', () => {
  test.each([
    ['all 60 s apart', null, 229_000, 1.004],
    ['an hour before request 6', 6, 312_500, 1.19],
  ])('%s', (_name, idleBefore, units, ratio) => {
    const problem = exampleProblem(idleBefore);
    const small = { stable: 10_000, after: 20_000, summary: 1_000, call: 'aligned' } as const;
    expect(fixedCost(problem.rules, { ...small, before: 0 })).toBeCloseTo(18_500, 6);
    const run = runRent({ rules: problem.rules, event: small, coldShare: 0 }, problem.requests);
    expect(run.units).toBeCloseTo(units, 6);
    // Request 6, counted from 1.
    expect(run.events).toEqual([5]);
    expect(run.units / (findOptimum(problem)?.units ?? 0)).toBeCloseTo(ratio, 2);
  });
});

describe('the rule', () => {
  test('waits until the rent has reached the price', () => {
    // 100,000 × .1 a request.
    expect(decideRent(rule, { ...late, paid: FIXED - 10_001 }, view)).toMatchObject({
      compact: false,
      reason: 'too-early',
    });
    const decision = decideRent(rule, { ...late, paid: FIXED - 10_000 }, view);
    expect(decision).toMatchObject({ compact: true, reason: 'rent', excess: 100_000, paid: FIXED, price: FIXED });
    // 59,500 + .1 × 100,000, back after 7 requests.
    expect(decision.eventCost).toBeCloseTo(69_500, 6);
    expect(decision.breakEven).toBeCloseTo(6.95, 6);
  });

  test('comes to the best interval when growth is steady, without being told the growth', () => {
    for (const growth of [500, 2_000, 8_000]) {
      let state = NO_RENT;
      let carried = AFTER;
      let fired = 0;
      while (fired === 0) {
        const now = { carried, appended: growth, isCold: false, isLegalCut: true };
        if (decideRent({ ...rule, minReclaim: 0 }, state, now).compact) fired = state.requests;
        state = afterRequest(rule, state, now);
        carried += growth;
      }
      expect(Math.abs(fired - bestInterval(FIXED, 0.1, growth))).toBeLessThanOrEqual(1);
    }
  });

  test('a penalty is part of the price', () => {
    const paid = FIXED - 10_000;
    expect(decideRent({ ...rule, penalty: 5_000 }, { ...late, paid }, view).compact).toBe(false);
    expect(decideRent({ ...rule, penalty: 5_000 }, { ...late, paid: paid + 5_000 }, view).compact).toBe(true);
  });

  test('at a cold point a summary is bought when it costs no more than writing all again', () => {
    // 1.25 × 100,000 = 125,000 of rent against a call of 150,000 + 5 × 4,000: 45,000 short.
    const cold = { ...view, isCold: true };
    expect(decideRent(rule, { ...late, paid: 44_999 }, cold)).toMatchObject({ compact: false, price: 170_000 });
    expect(decideRent(rule, { ...late, paid: 45_000 }, cold)).toMatchObject({ compact: true, reason: 'cold' });
  });

  test('at a cold point a prune is free, so it is done at once', () => {
    const prune = { ...rule, event: { stable: 30_000, after: 120_000, summary: 0, call: 'none' } } as const;
    const decision = decideRent(prune, late, { ...view, isCold: true });
    expect(decision).toMatchObject({ compact: true, reason: 'cold', eventCost: -37_500 });
    expect(decideRent(prune, late, view).compact).toBe(false);
  });

  test('compacts before a price line and before the window, whatever was paid', () => {
    const long = { ...rule, rules: rulesById('openai-5.6') };
    expect(decideRent(long, late, { ...view, carried: 271_000, appended: 1_000 }).compact).toBe(false);
    expect(decideRent(long, late, { ...view, carried: 271_000, appended: 1_001 })).toMatchObject({
      compact: true,
      reason: 'tier',
    });
    const narrow = { ...rule, window: 152_000 };
    expect(decideRent(narrow, late, view).compact).toBe(false);
    expect(decideRent(narrow, late, { ...view, appended: 2_001 })).toMatchObject({ compact: true, reason: 'window' });
  });

  test('does not compact for a line that the new tokens cross by themselves', () => {
    const long = { ...rule, rules: rulesById('openai-5.6') };
    expect(decideRent(long, late, { ...view, carried: 60_000, appended: 250_000 }).reason).toBe('too-early');
  });

  test('does not buy for a session that ends before it has paid', () => {
    const rich = { ...late, paid: FIXED };
    expect(decideRent({ ...rule, remainingRequests: 6 }, rich, view).reason).toBe('ending');
    expect(decideRent({ ...rule, remainingRequests: 7 }, rich, view).compact).toBe(true);
    expect(decideRent({ ...rule, remainingRequests: 0, window: 150_000 }, rich, view).reason).toBe('window');
  });

  test('keeps its distance, asks for a minimum, and gives up when events do not help', () => {
    const rich = { ...late, paid: 10 * FIXED };
    expect(decideRent(rule, { ...rich, sinceEvent: 1 }, view).reason).toBe('just-now');
    expect(decideRent(rule, { ...rich, sinceEvent: 2 }, view).compact).toBe(true);
    expect(decideRent(rule, rich, { ...view, carried: AFTER + 999 }).reason).toBe('too-little');
    expect(decideRent(rule, rich, { ...view, carried: AFTER }).reason).toBe('too-little');
    expect(decideRent(rule, rich, { ...view, isLegalCut: false }).reason).toBe('open-calls');
    // 150,000 to 143,000 is less than five in a hundred; twice is enough.
    const little = { ...view, leftTokens: 143_000 };
    const weak = afterRequest(rule, afterRequest(rule, rich, little), little);
    expect(weak).toMatchObject({ weakEvents: 2, paid: 0, sinceEvent: 1 });
    expect(decideRent(rule, { ...weak, sinceEvent: 9, paid: 10 * FIXED }, view).reason).toBe('no-use');
    expect(decideRent({ ...rule, window: 151_000 }, weak, view).reason).toBe('window');
    expect(afterRequest(rule, weak, { ...view, leftTokens: 50_000 }).weakEvents).toBe(0);
  });

  test('learns how often the cache is gone', () => {
    expect(observedColdShare(NO_RENT)).toBeCloseTo(0.03, 12);
    expect(observedColdShare({ ...NO_RENT, requests: 150, coldRequests: 18 })).toBeCloseTo(19.5 / 200, 12);
  });
});

describe('60 sessions that never were', () => {
  const sessions = Array.from({ length: 60 }, (_, index) => syntheticSession(index + 1));
  const window = 1_000_000;
  // Figures that an independent run gave: none, @170K, @500K, @850K, rent at r, rent at ρ, events of the optimum in 100 requests.
  test.each([
    [0.1, 1.25, 5, 5 * MINUTE, [3.78, 1.26, 2.43, 3.63, 1.07, 1.07, 4.2]],
    [0.05, 1.25, 5, 5 * MINUTE, [3.33, 1.21, 2.19, 3.21, 1.11, 1.09, 3.3]],
    [0.025, 1.25, 5, 5 * MINUTE, [3.06, 1.2, 2.04, 2.95, 1.18, 1.13, 2.6]],
    [0.1, 1.25, 5, 30 * MINUTE, [3.61, 1.22, 2.34, 3.47, 1.06, 1.06, 3.9]],
    [0.02, 1, 4, 24 * 60 * MINUTE, [1.96, 1.05, 1.43, 1.9, 1.03, 1.03, 1.8]],
  ] as const)('read %d, write %d', (read, write, output, ttlMs, expected) => {
    const rules: CacheRules = { ...rulesById('anthropic-5m'), read, write, output, ttlMs, minTokens: 0 };
    const operators = [fixedOperator({ id: 'summary', ...event })];
    const best = sessions.map((requests) => findOptimum({ rules, requests, operators, window }));
    const total = sum(best.map((one) => one?.units ?? 0));
    const at = (trigger: number): number =>
      sum(
        sessions.map(
          (requests) =>
            runTrigger(
              rules,
              requests,
              event,
              ({ carried, appended }) => carried >= trigger || carried + appended > window,
            ).units,
        ),
      ) / total;
    const rent = (coldShare: number | 'observed'): readonly number[] =>
      sessions.map((requests) => runRent({ rules, event, coldShare, window }, requests).units);
    const observed = rent('observed');
    const events = (100 * sum(best.map((one) => one?.events.length ?? 0))) / sum(sessions.map((one) => one.length));

    const found = [
      at(Infinity),
      at(170_000),
      at(500_000),
      at(850_000),
      sum(rent(0)) / total,
      sum(observed) / total,
      events,
    ];
    for (const [index, value] of found.entries()) {
      // "None" depends on how many sessions outgrow the window, and cadence on the tail of the growth.
      const tolerance = index === 0 || index === 6 ? 0.1 : 0.05;
      expect(Math.abs(value / (expected[index] ?? 0) - 1), `column ${index}: ${value.toFixed(3)}`).toBeLessThan(
        tolerance,
      );
    }
    // The worst of the sixty.
    expect(Math.max(...observed.map((units, index) => units / (best[index]?.units ?? 0)))).toBeLessThan(1.24);
  });
});

describe('the guarantee', () => {
  /** Tokens that arrive between requests; a price; all in units of rent. */
  const arrivals = fc.array(fc.oneof(fc.nat(100), fc.nat(20), fc.constant(0)), { minLength: 1, maxLength: 40 });

  test.each([
    ['twice the optimum when an event has one price', 0, 2],
    ['three times when the call reads what it removes', 1, 3],
  ])('is at most %s', (_name, perToken, limit) => {
    let worst = 1;
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 300 }), (tokens, price) => {
        const [online, best] = [rentAlone(tokens, price, perToken), bestAlone(tokens, price, perToken)];
        if (best > 0) worst = Math.max(worst, online / best);
        expect(online).toBeLessThanOrEqual(limit * best + 1e-9);
      }),
      { numRuns: 2_000, seed: 5 },
    );
    // The search is not idle: it comes near the limit of two.
    expect(worst).toBeGreaterThan(1.5);
  });
});

/** The bare game: excess is carried at one unit a token, or cleared for the price. */
function rentAlone(tokens: readonly number[], price: number, perToken: number): number {
  let [cost, excess, paid] = [0, 0, 0];
  for (const token of tokens) {
    excess += token;
    if (paid + excess >= price) {
      cost += price + perToken * excess;
      [excess, paid] = [0, 0];
    } else {
      cost += excess;
      paid += excess;
    }
  }
  return cost;
}

function bestAlone(tokens: readonly number[], price: number, perToken: number): number {
  // Cheapest by place of the last event.
  let states: readonly { readonly cost: number; readonly excess: number }[] = [{ cost: 0, excess: 0 }];
  for (const token of tokens) {
    const grown = states.map(({ cost, excess }) => ({ cost, excess: excess + token }));
    const cleared = Math.min(...grown.map(({ cost, excess }) => cost + price + perToken * excess));
    states = [...grown.map(({ cost, excess }) => ({ cost: cost + excess, excess })), { cost: cleared, excess: 0 }];
  }
  return Math.min(...states.map(({ cost }) => cost));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
