import { describe, expect, it } from 'vitest';
import { better, type Case, rowOf } from '../../bench/peers/survival.ts';
import type { BenchFact, BenchSession } from '../../bench/peers/types.ts';

const fact = (id: string, kind: string, position: number): BenchFact => ({
  id,
  kind,
  question: '',
  needles: [id],
  position,
});
const FACTS = [fact('a', 'constraint', 0), fact('b', 'value', 0.5), fact('c', 'value', 0.9), fact('d', 'value', 1)];
const SESSION: BenchSession = { name: 'one', messages: [], facts: FACTS };

function caseOf(over: Partial<Case>): Case {
  return {
    session: SESSION,
    sessionTokens: 1_000,
    tokens: 100,
    target: 100,
    lost: [],
    notFound: null,
    asked: { calls: 2, shown: 500, longest: 300, allowed: null, written: 10, ms: 1 },
    chain: {
      view: [],
      before: [],
      found: null,
      outcomes: ['compacted'],
      error: null,
      ms: 1,
      wholeMs: 1,
      peakBytes: null,
    },
    unsound: null,
    ...over,
  };
}

describe('a row of the survival table', () => {
  const cases = [
    caseOf({ lost: [FACTS[0]!] }),
    caseOf({
      lost: [FACTS[1]!, FACTS[3]!],
      sessionTokens: 3_000,
      tokens: 300,
      asked: { calls: 1, shown: 700, longest: 700, allowed: 40, written: 1, ms: 1 },
      unsound: 'a result without its call',
      chain: {
        view: [],
        before: [],
        found: null,
        outcomes: ['threw', 'skipped'],
        error: 'no',
        ms: 1,
        wholeMs: 1,
        peakBytes: null,
      },
    }),
  ];
  const row = rowOf({ arm: 'x', teller: 'silent', passes: 2 }, cases, [caseOf({ tokens: 120 })]);

  it('names the sessions of which the arm keeps more than precis, and what a search adds', () => {
    const ours = [caseOf({ lost: [FACTS[1]!, FACTS[2]!], notFound: [FACTS[2]!] })];
    const behind = rowOf({ arm: 'x', teller: 'none', passes: 1 }, [caseOf({ tokens: 90, lost: [FACTS[0]!] })], ours);
    expect(behind.behind).toEqual([{ session: 'one', tokens: 90, facts: 1 }]);
    expect(behind.withSearch).toBeNull();
    expect(rowOf({ arm: 'precis', teller: 'none', passes: 1 }, ours, null).withSearch).toEqual({ kept: 3, facts: 4 });
  });

  it('adds up facts, by kind and by age', () => {
    expect([row.kept, row.facts]).toEqual([5, 8]);
    expect(row.byKind).toEqual({ constraint: { kept: 1, facts: 2 }, value: { kept: 4, facts: 6 } });
    expect(row.byAge).toEqual({
      oldest: { kept: 1, facts: 2 },
      middle: { kept: 1, facts: 2 },
      newest: { kept: 3, facts: 4 },
    });
  });

  it('weighs sizes by tokens and counts what went wrong', () => {
    expect(row.retained).toBeCloseTo(400 / 4_000);
    expect(row.shown).toBeCloseTo(1_200 / 4_000);
    expect([row.calls, row.allowed, row.tooLarge, row.threw, row.skipped]).toEqual([3, 40, 1, 1, 1]);
    expect(row.unsound).toEqual(['one: a result without its call']);
  });

  it('sets precis beside it', () => {
    expect(row.ours).toEqual({ kept: 4, facts: 4, retained: 120 / 4_000 });
    expect(rowOf({ arm: 'precis', teller: 'none', passes: 1 }, cases, null).ours).toBeNull();
  });
});

describe('the better of two tries', () => {
  const small = caseOf({ tokens: 64, lost: [] });
  const large = caseOf({ tokens: 101, lost: [FACTS[0]!] });

  it('keeps more facts, where both fit', () => {
    expect(better(small, large)).toBe(small);
    expect(better(large, small)).toBe(small);
  });

  it('is the larger one of those that keep as many', () => {
    const other = caseOf({ tokens: 90, lost: [FACTS[1]!] });
    expect(better(large, other)).toBe(large);
    expect(better(other, large)).toBe(large);
  });

  it('is the one that fits, and the smaller one where none does, whatever they keep', () => {
    const [above, farAbove] = [caseOf({ tokens: 110, lost: FACTS }), caseOf({ tokens: 150, lost: [] })];
    expect(better(farAbove, large)).toBe(large);
    expect(better(large, farAbove)).toBe(large);
    expect(better(farAbove, above)).toBe(above);
    expect(better(above, farAbove)).toBe(above);
  });
});
