import { describe, expect, test } from 'vitest';
import { exampleProblem } from '../../../test/replay/worked-example.ts';
import { cpuMsOf } from '../../../test/work/cpu-time.ts';
import { createCache } from '../cache/cache.ts';
import { rulesById } from '../cache/rules/by-id.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import { seededRandom } from '../cache/seeded-random.ts';
import type { Trace } from '../trace/trace.ts';
import { findFrontier, findOptimum, sweepPenalty } from './optimum.ts';
import {
  fixedOperator,
  type OptimumOperator,
  type OptimumProblem,
  type OptimumRequest,
  optimumRequestsOf,
} from './problem.ts';
import { ratiosTo, unavoidableUnits } from './ratios.ts';

describe('the worked example', () => {
  test.each([
    ['all 60 s apart', null, 234_500, 228_000, 238_500, 253_000],
    ['an hour before request 6', 6, 326_500, 262_500, 275_000, 287_500],
  ])('%s', (_name, idleBefore, none, best, two, three) => {
    const problem = exampleProblem(idleBefore);
    const found = findOptimum(problem);
    expect(found?.units).toBeCloseTo(best, 6);
    // Request 5, counted from 1.
    expect(found?.events).toEqual([4]);
    expect(found?.operators).toEqual(['summary']);
    const frontier = findFrontier(problem, 3).map((one) => Math.round(one?.units ?? 0));
    expect(frontier).toEqual([none, best, two, three]);
  });

  test('money is units at the price of input', () => {
    const problem = exampleProblem(null);
    const found = findOptimum({ ...problem, rules: { ...problem.rules, usdPerMillionInput: 5 } });
    expect(found?.usd).toBeCloseTo(1.14, 9);
  });

  test('a penalty keeps the hand still, and is no money', () => {
    const [free, dear] = sweepPenalty(exampleProblem(null), [0, 10_000]);
    expect(free?.events).toEqual([4]);
    expect(dear?.events).toEqual([]);
    expect(dear?.units).toBeCloseTo(234_500, 6);
    const [, mild] = sweepPenalty(exampleProblem(null), [0, 1_000]);
    expect([mild?.units, mild?.objective].map((units) => Math.round(units ?? 0))).toEqual([228_000, 229_000]);
  });

  test('the ratio without what nobody can avoid is the harder one', () => {
    const { rules, requests } = exampleProblem(null);
    // 130,000 tokens written at 1.25 and 9 × 10,000 read at .1.
    const unavoidable = unavoidableUnits({ rules, requests }, 10_000);
    expect(unavoidable).toBeCloseTo(171_500, 6);
    const { ratio, addressable } = ratiosTo(234_500, 228_000, unavoidable);
    expect(ratio).toBeCloseTo(1.0285, 4);
    expect(addressable).toBeCloseTo(63_000 / 56_500, 9);
  });
});

describe('the optimum', () => {
  test('is that of an exhaustive search over all plans, on 300 small sessions', () => {
    let withEvents = 0;
    let impossible = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const problem = randomProblem(seed, seed % 3 === 0 ? 8 : 12, seed % 3 === 0 ? 2 : 1);
      const expected = searchAll(problem);
      const found = findOptimum(problem);
      if (expected.objective === Number.POSITIVE_INFINITY) {
        impossible++;
        expect(found).toBeNull();
        continue;
      }
      expect(found?.objective, `seed ${seed}`).toBeCloseTo(expected.objective, 4);
      expect(costOf(problem, planOf(problem, found?.events ?? [], found?.operators ?? []))).toBeCloseTo(
        expected.objective,
        4,
      );
      if ((found?.events.length ?? 0) > 0) withEvents++;
      for (const [count, one] of findFrontier(problem, 3).entries())
        if (one !== null) expect(one.objective, `seed ${seed}`).toBeCloseTo(expected.byCount[count] ?? Number.NaN, 4);
        else expect(expected.byCount[count] ?? Number.POSITIVE_INFINITY).toBe(Number.POSITIVE_INFINITY);
    }
    // The sessions are worth the name: most need events, some cannot be saved.
    expect(withEvents).toBeGreaterThan(150);
    expect(impossible).toBeGreaterThan(0);
    expect(impossible).toBeLessThan(100);
  });

  test('costs what the cache bills for the same requests', () => {
    // One operator that prunes, so that the cache sees nothing but requests.
    for (const id of ['anthropic-5m', 'openai-5', 'deepseek-flash', 'xai-4']) {
      const rules = { ...rulesById(id), lookbackBlocks: null };
      const requests = randomRequests(seededRandom(7), 30, 600_000);
      const after = 8_192;
      const prune = fixedOperator({ id: 'prune', call: 'none', summary: 0, stable: 4_096, after });
      const found = findOptimum({ rules, requests, operators: [prune] });
      const cache = createCache(rules);
      let usd = 0;
      let view = [{ id: 'system', tokens: 4_096 }];
      for (const [index, { at, appended, outputTokens }] of requests.entries()) {
        if (found?.events.includes(index))
          view = [
            { id: 'system', tokens: 4_096 },
            { id: `kept-${index}`, tokens: after - 4_096 },
          ];
        view = [...view, { id: `message-${index}`, tokens: index === 0 ? appended - 4_096 : appended }];
        usd += cache.request(view, { at, outputTokens }).usd;
      }
      expect(found?.events.length).toBeGreaterThan(0);
      expect(found?.usd, id).toBeCloseTo(usd, 9);
    }
  });

  test('keeps the window, or says that it cannot', () => {
    const problem = exampleProblem(null);
    const found = findOptimum({ ...problem, window: 50_000 });
    expect(found?.events).toHaveLength(3);
    expect(findOptimum({ ...problem, window: 29_999 })).toBeNull();
    expect(findFrontier({ ...problem, window: 50_000 }, 3).map((one) => one === null)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('cuts only where it may', () => {
    const problem = exampleProblem(null);
    const requests = problem.requests.map((request, index) => ({ ...request, isLegalCut: index !== 4 }));
    const found = findOptimum({ ...problem, requests });
    expect(found?.events).not.toContain(4);
    expect(found?.units).toBeGreaterThan(228_000);
  });

  test('takes 2,000 requests and 3 operators in under 2 seconds', async () => {
    const rules = rulesById('openai-5.6');
    const requests = randomRequests(seededRandom(3), 2_000, 2_000_000);
    const operators = [
      fixedOperator({ id: 'summary', call: 'aligned', summary: 4_000, stable: 20_000, after: 50_000 }),
      fixedOperator({ id: 'large', call: 'unaligned', summary: 8_000, stable: 20_000, after: 80_000 }),
      fixedOperator({ id: 'prune', call: 'none', summary: 0, stable: 40_000, after: 120_000 }),
    ];
    const ms = await cpuMsOf(() => {
      const found = findOptimum({ rules, requests, operators, window: 1_000_000 });
      expect(found?.events.length).toBeGreaterThan(20);
    });
    expect(ms).toBeLessThan(2_000);
  });

  test('reads the requests of a trace', () => {
    const trace = {
      tokens: [10, 20, 30, 40],
      fixedTokens: 1_000,
      requests: [
        { at: 0, from: 0, to: 1, outputTokens: 20, isLegalCut: true, recorded: null },
        { at: 5, from: 1, to: 4, outputTokens: 7, isLegalCut: false, recorded: null },
      ],
    } as unknown as Trace;
    expect(optimumRequestsOf(trace)).toEqual([
      { at: 0, appended: 1_010, outputTokens: 20, isLegalCut: true },
      { at: 5, appended: 90, outputTokens: 7, isLegalCut: false },
    ]);
  });
});

/** Operators at each request, -1 for none. */
type Plan = readonly number[];

/** What a plan costs, written down plainly and apart from the code under test. */
function costOf(
  { rules, requests, operators, window = Number.POSITIVE_INFINITY, penalty = 0 }: OptimumProblem,
  plan: Plan,
): number {
  const multiple = (size: number, side: 'input' | 'output'): number => {
    const tiers = rules.tiers.filter((tier) => size > tier.aboveTokens).map((tier) => tier[side]);
    return Math.max(1, ...tiers);
  };
  const hit = (live: number): number => {
    const whole = Math.floor(live / rules.granularity) * rules.granularity;
    return whole >= rules.minTokens ? whole * rules.hitProbability : 0;
  };
  let units = 0;
  let size = 0;
  for (const [index, { at, appended, outputTokens, isLegalCut }] of requests.entries()) {
    const isWarm = index > 0 && at - requests[index - 1]!.at <= (rules.ttlMs ?? Number.POSITIVE_INFINITY);
    let live = isWarm ? size : 0;
    const operator = operators[plan[index] ?? -1];
    if (operator !== undefined) {
      const kept = index > 0 && isLegalCut ? operator.retained(index) : null;
      if (kept === null) return Number.POSITIVE_INFINITY;
      if (operator.call !== 'none') {
        const found = operator.call === 'aligned' && isWarm ? hit(size) : 0;
        units += (found * rules.read + size - found) * multiple(size, 'input');
        units += operator.summary * rules.output * multiple(size, 'output');
      }
      units += penalty;
      size = kept.after;
      live = isWarm ? Math.min(kept.stable, kept.after + appended) : 0;
    }
    size += appended;
    if (size > window) return Number.POSITIVE_INFINITY;
    const found = hit(live);
    units +=
      (found * rules.read + (size - found) * (size < rules.minTokens ? 1 : rules.write)) * multiple(size, 'input');
    units += outputTokens * rules.output * multiple(size, 'output');
  }
  return units;
}

function searchAll(problem: OptimumProblem): { readonly objective: number; readonly byCount: readonly number[] } {
  const { requests, operators } = problem;
  const base = operators.length + 1;
  const byCount: number[] = [];
  for (let code = 0; code < base ** (requests.length - 1); code++) {
    let left = code;
    const plan = [-1];
    for (let index = 1; index < requests.length; index++) {
      plan.push((left % base) - 1);
      left = Math.floor(left / base);
    }
    const count = plan.filter((operator) => operator >= 0).length;
    byCount[count] = Math.min(byCount[count] ?? Number.POSITIVE_INFINITY, costOf(problem, plan));
  }
  return { objective: Math.min(...byCount), byCount };
}

function planOf({ requests, operators }: OptimumProblem, events: readonly number[], ids: readonly string[]): Plan {
  return requests.map((_, index) => {
    const event = events.indexOf(index);
    return event < 0 ? -1 : operators.findIndex((operator) => operator.id === ids[event]);
  });
}

function randomRequests(random: () => number, count: number, span: number): readonly OptimumRequest[] {
  let at = 0;
  return Array.from({ length: count }, (_, index) => {
    at += random() < 0.15 ? span : 30_000;
    return {
      at,
      appended: index === 0 ? 6_000 : Math.floor(random() ** 2 * 9_000),
      outputTokens: Math.floor(random() * 500),
      isLegalCut: random() < 0.8,
    };
  });
}

function randomProblem(seed: number, count: number, operatorCount: number): OptimumProblem {
  const random = seededRandom(seed);
  const ids = ['anthropic-5m', 'anthropic-1h', 'openai-5.6', 'openai-5', 'openai-4o', 'gemini-3', 'xai-4', 'none'];
  const base = rulesById(ids[Math.floor(random() * ids.length)] ?? 'none');
  const tiers = random() < 0.5 ? [] : [{ aboveTokens: 12_000, input: 2, output: 1.5 }];
  const rules: CacheRules = { ...base, tiers };
  const requests = randomRequests(random, count, 7_200_000);
  const operators: OptimumOperator[] = Array.from({ length: operatorCount }, (_, index) => {
    const after = 3_000 + Math.floor(random() * 5_000);
    const stable = Math.floor(after * random());
    const kinds = ['aligned', 'unaligned', 'none'] as const;
    const call = kinds[Math.floor(random() * 3)] ?? 'none';
    return {
      id: `operator-${index}`,
      call,
      summary: call === 'none' ? 0 : Math.floor(random() * 800),
      // Depends on the place, as sizes measured from a session do; and not to be had everywhere.
      retained: (request) => (request % 7 === index ? null : { stable, after: after + 40 * request }),
    };
  });
  const window = random() < 0.5 ? 16_000 : Number.POSITIVE_INFINITY;
  return { rules, requests, operators, window, penalty: random() < 0.5 ? 0 : Math.floor(random() * 3_000) };
}
