import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Vocabulary } from '../language/terms.ts';
import { type CoverageOptions, marginalWorth, selectPassages } from './select-passages.ts';
import type { Weighed, WeighedPassage } from './weigh.ts';

interface Made {
  readonly weighed: Weighed;
  readonly headingTokens: readonly number[];
}

const TERMS = 6;

const TEXTS = 6;

/** A tiny problem: entries with a heading and passages; passages with the same text have the same terms, worth and cost. */
const made: fc.Arbitrary<Made> = fc
  .tuple(
    fc.array(
      fc.record({
        terms: fc.uniqueArray(fc.nat(TERMS - 1), { maxLength: 3 }),
        statement: fc.integer({ min: 0, max: 6 }),
        tokens: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: TEXTS, maxLength: TEXTS },
    ),
    fc.array(
      fc.record({
        heading: fc.integer({ min: 1, max: 4 }),
        headingTerms: fc.uniqueArray(fc.nat(TERMS - 1), { maxLength: 1 }),
        passages: fc.array(fc.nat(TEXTS - 1), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([texts, entries]) => ({
    headingTokens: entries.map(({ heading }) => heading),
    weighed: {
      entries: [],
      passages: entries.flatMap(({ passages }, entry) =>
        passages.map((text, index): WeighedPassage => {
          const { terms = [], statement = 0, tokens = 1 } = texts[text] ?? {};
          return { entry, index, text, shape: entry * 10 + index, terms, statement, repeated: 0.7, tokens };
        }),
      ),
      headings: entries.map(({ headingTerms, heading }, at) => ({
        text: TEXTS + at,
        terms: headingTerms,
        tokens: heading,
      })),
      termWeights: Float64Array.from({ length: TERMS }, (_, term) => term + 1),
      texts: TEXTS + entries.length,
      shapes: 200,
      vocabulary: new Vocabulary(),
    },
  }));

function options({ headingTokens }: Made, budget: number): CoverageOptions {
  return {
    budget,
    allowed: () => true,
    covered: new Uint8Array(TERMS),
    headingTokens: (entry) => headingTokens[entry] ?? 0,
  };
}

/** The cost and worth of a list of passages, taken one after the other. */
function totalOf(
  { weighed, headingTokens }: Made,
  list: readonly number[],
): { readonly worth: number; readonly cost: number } {
  const covered = new Uint8Array(TERMS);
  const opened = new Set<number>();
  const said = new Set<number>();
  let worth = 0;
  let cost = 0;
  for (const at of list) {
    const passage = weighed.passages[at] as WeighedPassage;
    worth += marginalWorth(weighed, said.has(passage.text) ? { ...passage, statement: 0 } : passage, covered);
    cost += passage.tokens;
    if (!opened.has(passage.entry)) {
      cost += headingTokens[passage.entry] ?? 0;
      for (const term of weighed.headings[passage.entry]?.terms ?? [])
        if (covered[term] === 0) worth += weighed.termWeights[term] ?? 0;
    }
    opened.add(passage.entry);
    said.add(passage.text);
    for (const term of [...passage.terms, ...(weighed.headings[passage.entry]?.terms ?? [])]) covered[term] = 1;
  }
  return { worth, cost };
}

function best(problem: Made, budget: number): number {
  const count = problem.weighed.passages.length;
  let most = 0;
  for (let mask = 0; mask < 1 << count; mask++) {
    const list = Array.from({ length: count }, (_, at) => at).filter((at) => (mask >> at) & 1);
    const { worth, cost } = totalOf(problem, list);
    if (cost <= budget) most = Math.max(most, worth);
  }
  return most;
}

describe('selectPassages', () => {
  it('takes the passages that come first before all others, once each, and stays within the budget', () => {
    fc.assert(
      fc.property(made, fc.integer({ min: 1, max: 30 }), fc.array(fc.nat(8)), (problem, budget, first) => {
        const { chosen, tokens } = selectPassages(problem.weighed, { ...options(problem, budget), first });
        const wanted = new Set(first.filter((at) => at < problem.weighed.passages.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(tokens.at(-1) ?? 0).toBeLessThanOrEqual(budget);
        const all = totalOf(problem, [...wanted]).cost;
        if (all <= budget) expect(chosen.slice(0, wanted.size)).toEqual([...wanted]);
      }),
    );
  });

  it('stays within the budget, pays headings once, repeats nothing and is the same every time', () => {
    fc.assert(
      fc.property(made, fc.nat(30), (problem, budget) => {
        const selection = selectPassages(problem.weighed, options(problem, budget));
        const { cost } = totalOf(problem, selection.chosen);
        expect(new Set(selection.chosen).size).toBe(selection.chosen.length);
        expect(selection.tokens.at(-1) ?? 0).toBe(cost);
        expect(cost).toBeLessThanOrEqual(budget);
        expect(selectPassages(problem.weighed, options(problem, budget))).toEqual(selection);
      }),
    );
  });

  it('is worth at least half of the best choice where single passages are small beside the budget', () => {
    fc.assert(
      fc.property(made, fc.integer({ min: 20, max: 40 }), (problem, budget) => {
        const { worth } = selectPassages(problem.weighed, options(problem, budget));
        expect(worth).toBeGreaterThanOrEqual(best(problem, budget) / 2);
      }),
      { numRuns: 300 },
    );
  });

  const simple = (passages: readonly Partial<WeighedPassage>[]): Made => ({
    headingTokens: passages.map(() => 2),
    weighed: {
      entries: [],
      passages: passages.map((passage, at) => ({
        entry: at,
        index: 0,
        text: at,
        shape: at,
        terms: [],
        statement: 1,
        repeated: 0.7,
        tokens: 2,
        ...passage,
      })),
      headings: passages.map((_, at) => ({ text: 100 + at, terms: [], tokens: 2 })),
      termWeights: new Float64Array(TERMS).fill(1),
      texts: 200,
      shapes: 200,
      vocabulary: new Vocabulary(),
    },
  });

  it('takes what is worth most per token first', () => {
    const problem = simple([{ statement: 4 }, { statement: 9 }, { statement: 8, tokens: 10 }]);
    expect(selectPassages(problem.weighed, options(problem, 100)).chosen).toEqual([1, 0, 2]);
  });

  it('does not pay for words that are said already', () => {
    const problem = simple([
      { text: 0, terms: [] },
      { text: 0, terms: [] },
    ]);
    expect(selectPassages(problem.weighed, options(problem, 100)).chosen).toHaveLength(1);
  });

  it('leaves out what is not allowed', () => {
    const problem = simple([{}, {}]);
    const selection = selectPassages(problem.weighed, { ...options(problem, 100), allowed: (at) => at === 1 });
    expect(selection.chosen).toEqual([1]);
  });

  it('leaves the covered terms of the caller as they were', () => {
    const problem = simple([{ terms: [1] }]);
    const covered = new Uint8Array(TERMS);
    selectPassages(problem.weighed, { ...options(problem, 100), covered });
    expect([...covered]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('takes fewer lines of one shape: the tenth tells less than the first', () => {
    const rows = Array.from({ length: 10 }, () => ({ shape: 0, statement: 3 }));
    const made_ = simple([...rows, { shape: 1, statement: 2 }]);
    const { chosen } = selectPassages(made_.weighed, options(made_, 8));
    expect(chosen).toEqual([0, 10]);
  });
});
