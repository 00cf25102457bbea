/** What holds for every session, every provider and every rule. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bill } from '../../src/replay/cache/bill.ts';
import type { Block } from '../../src/replay/cache/block.ts';
import { createCache, type RequestDetails } from '../../src/replay/cache/cache.ts';
import { rulesById } from '../../src/replay/cache/rules/by-id.ts';
import type { CacheRules } from '../../src/replay/cache/rules/cache-rules.ts';
import { cacheRules } from '../../src/replay/cache/rules/data.ts';
import { seededRandom } from '../../src/replay/cache/seeded-random.ts';
import { findOptimum } from '../../src/replay/optimum/optimum.ts';
import { fixedOperator, type OptimumRequest } from '../../src/replay/optimum/problem.ts';
import { runRent } from '../replay/synthetic.ts';

interface Sent extends RequestDetails {
  readonly blocks: readonly Block[];
}

/** Few ids and one size for each, so that prefixes are often shared. */
const block = fc
  .nat(5)
  .map((number) => ({ id: `b${number}`, tokens: [0, 300, 700, 1_024, 2_500, 90_000][number] ?? 0 }));
const sent = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 1_000, 200_000, 300_000, 300_001, 4_000_000),
      blocks: fc.array(block, { maxLength: 8 }),
      outputTokens: fc.nat(2_000),
      family: fc.constantFrom('a', 'a', 'a', 'b'),
      keep: fc.constantFrom(true, true, true, false),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) => {
    let at = 0;
    return list.map(({ gap, ...request }): Sent => {
      at += gap;
      return { ...request, at };
    });
  });
const rules = fc.oneof(
  fc.constantFrom(...cacheRules),
  fc
    .record({
      base: fc.constantFrom(...cacheRules),
      granularity: fc.constantFrom(1, 128),
      lookbackBlocks: fc.constantFrom(null, 1, 2, 20),
      writeBreakpoints: fc.constantFrom(null, 0, 1, 2, 4),
      refreshOnHit: fc.boolean(),
      minTokens: fc.constantFrom(0, 1_024),
      hitProbability: fc.constantFrom(0, 0.5, 1),
    })
    .map(({ base, ...change }): CacheRules => ({ ...base, ...change })),
);

function billsOf(of: CacheRules, requests: readonly Sent[]): readonly Bill[] {
  const cache = createCache(of, { random: seededRandom(11) });
  return requests.map(({ blocks, ...details }) => cache.request(blocks, details));
}

const promptOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { tokens }) => sum + tokens, 0);

describe('a bill', () => {
  test('has parts that are the prompt, none of them and no price below zero', () => {
    fc.assert(
      fc.property(rules, sent, (of, requests) => {
        for (const [index, bill] of billsOf(of, requests).entries()) {
          expect(bill.read + bill.write + bill.uncached).toBe(promptOf(requests[index]?.blocks ?? []));
          expect(Math.min(bill.read, bill.write, bill.uncached, bill.output, bill.usd)).toBeGreaterThanOrEqual(0);
          expect(bill.output).toBe(requests[index]?.outputTokens);
        }
      }),
    );
  });

  test('reads no more than a request that was kept shares with it', () => {
    fc.assert(
      fc.property(rules, sent, (of, requests) => {
        for (const [index, bill] of billsOf(of, requests).entries()) {
          const now = requests[index]!;
          const earlier = requests.slice(0, index).filter(({ family, keep }) => keep && family === now.family);
          const shared = earlier.map(({ blocks }) => {
            const differs = now.blocks.findIndex(({ id }, place) => blocks[place]?.id !== id);
            return promptOf(differs < 0 ? now.blocks : now.blocks.slice(0, differs));
          });
          expect(bill.read).toBeLessThanOrEqual(Math.max(0, ...shared));
        }
      }),
    );
  });

  test('is the same without a cache as with one whose reads and writes cost what other input costs', () => {
    fc.assert(
      fc.property(rules, sent, (of, requests) => {
        const flat = billsOf({ ...of, read: 1, write: 1 }, requests).map(({ usd }) => usd);
        const none = billsOf({ ...of, read: 1, write: 1, hitProbability: 0 }, requests).map(({ usd }) => usd);
        for (const [index, usd] of flat.entries()) expect(usd).toBeCloseTo(none[index] ?? Number.NaN, 12);
      }),
    );
  });

  test('does not depend on what is sent later', () => {
    fc.assert(
      fc.property(rules, sent, sent, (of, past, future) => {
        const last = past.at(-1)?.at ?? 0;
        const later = future.map((request) => ({ ...request, at: last + request.at }));
        expect(billsOf(of, [...past, ...later]).slice(0, past.length)).toEqual(billsOf(of, past));
      }),
    );
  });

  test('is that of a cache written down plainly, with a table of all prefixes', () => {
    fc.assert(
      fc.property(rules, sent, (of, requests) => {
        const sure = { ...of, hitProbability: of.hitProbability === 0 ? 0 : 1 };
        expect(billsOf(sure, requests).map(({ read, write }) => [read, write])).toEqual(plainly(sure, requests));
      }),
      { numRuns: 400 },
    );
  });
});

describe('the rent rule', () => {
  const growing = fc.array(fc.tuple(fc.constantFrom(20_000, 30_000, 900_000), fc.nat(20_000)), {
    minLength: 2,
    maxLength: 60,
  });
  const requestsOf = (steps: readonly (readonly [number, number])[]): readonly OptimumRequest[] => {
    let at = 0;
    return steps.map(([gap, appended]) => {
      at += gap;
      return { at, appended, outputTokens: 0, isLegalCut: true };
    });
  };
  const event = { stable: 5_000, after: 20_000, summary: 1_000, call: 'aligned' } as const;
  const of = { ...rulesById('anthropic-5m'), minTokens: 0 };

  test('decides by the past alone', () => {
    fc.assert(
      fc.property(growing, growing, (past, future) => {
        const alone = runRent({ rules: of, event }, requestsOf(past)).events;
        const together = runRent({ rules: of, event }, requestsOf([...past, ...future])).events;
        expect(together.filter((index) => index < past.length)).toEqual(alone);
      }),
    );
  });

  test('never beats the optimum, and when the cache stays warm costs at most three times as much', () => {
    fc.assert(
      fc.property(growing, fc.boolean(), (steps, isWarm) => {
        const requests = requestsOf(isWarm ? steps.map(([, appended]) => [1_000, appended] as const) : steps);
        const best = findOptimum({ rules: of, requests, operators: [fixedOperator({ id: 'summary', ...event })] });
        const { units } = runRent({ rules: of, event, coldShare: 0, minReclaim: 0 }, requests);
        expect(units).toBeGreaterThanOrEqual((best?.units ?? 0) - 1e-6);
        if (isWarm) expect(units).toBeLessThanOrEqual(3 * (best?.units ?? 0) + 1e-6);
      }),
    );
  });
});

/** Read and written tokens by the definition: every prefix that was kept, under all its ids, with the end of its life. */
function plainly(of: CacheRules, requests: readonly Sent[]): readonly (readonly [number, number])[] {
  const entries = new Map<string, number>();
  return requests.map(({ blocks, at, family = '', keep = true }) => {
    const key = (place: number): string => JSON.stringify([family, blocks.slice(0, place + 1).map(({ id }) => id)]);
    const size = (place: number): number => promptOf(blocks.slice(0, place + 1));
    const floor = (tokens: number): number => Math.floor(tokens / of.granularity) * of.granularity;
    const all = blocks.map((_, place) => place);
    const count = of.writeBreakpoints;
    const marked =
      count === null
        ? all
        : all.filter((place) => {
            const fromEnd = blocks.length - 1 - place;
            return count === 0 ? false : count === 1 ? fromEnd === 0 : place === 0 || fromEnd < count - 1;
          });
    const reach = of.lookbackBlocks ?? Number.POSITIVE_INFINITY;
    const looked = all.filter((place) =>
      (count === null ? [blocks.length - 1] : marked).some((mark) => mark >= place && mark - place < reach),
    );
    const live = (place: number): boolean => (entries.get(key(place)) ?? Number.NEGATIVE_INFINITY) >= at;
    const hit =
      looked.findLast((place) => live(place) && floor(size(place)) > 0 && floor(size(place)) >= of.minTokens) ?? -1;
    const found = of.hitProbability === 0 ? -1 : hit;
    const read = found < 0 ? 0 : floor(size(found));
    const kept = keep && marked.length > 0 ? size(marked.at(-1) ?? -1) : 0;
    const write = of.write === 1 || kept < of.minTokens ? 0 : Math.max(0, kept - read);
    const until = at + (of.ttlMs ?? Number.POSITIVE_INFINITY);
    for (const place of new Set([...marked, ...(found < 0 ? [] : [found])])) {
      if (size(place) < of.minTokens) continue;
      const isRefreshed = place <= found && live(place);
      if (isRefreshed ? of.refreshOnHit : keep) entries.set(key(place), until);
    }
    return [read, write];
  });
}
