import { describe, expect, test } from 'vitest';
import { baselineOf, type Entry, entriesOf, parseBaseline } from '../../bench/speed/baseline.ts';
import { compare, compareOne, verdict } from '../../bench/speed/compare.ts';
import { tableOf } from '../../bench/speed/table.ts';
import type { SpeedResults } from '../../bench/speed/types.ts';

const entry = (name: string, yardsticks: number, sameByTheSame = 1): Entry => ({ name, yardsticks, sameByTheSame });

const results: SpeedResults = {
  version: 1,
  date: '2026-11-15T12:00:00.000Z',
  commit: null,
  node: '24.0.0',
  cpu: { model: 'a processor', cores: 2 },
  quick: false,
  noise: { median: 0.01, largest: 0.02, where: 'fold at 10000' },
  rows: [
    {
      workload: 'fold',
      size: 10_000,
      tokens: 10_843,
      ms: 12.345,
      yardsticks: 4,
      peakMb: 8,
      sameByTheSame: 1.02,
      samples: 6,
    },
  ],
  exponents: [{ workload: 'fold', of: 'time', slope: null, words: 'too few sizes to say' }],
  lines: [{ what: 'spaces', ms: 30, yardsticks: 10, sameByTheSame: 0.99 }],
};

describe('a row beside the same of the baseline', () => {
  test.each([
    ['same', 10, 12.4],
    ['slower', 10, 12.6],
    ['same', 10, 8.1],
    ['faster', 10, 7.9],
  ] as const)('is %s from %d to %d yardsticks', (type, then, now) => {
    expect(compareOne(entry('a', now), entry('a', then))).toMatchObject({ type, ratio: now / then, allowed: 1.25 });
  });

  test('may differ by three times the noise of either run', () => {
    for (const [now, then] of [
      [entry('a', 14, 1.2), entry('a', 10)],
      [entry('a', 14), entry('a', 10, 1 / 1.2)],
    ] as const) {
      const compared = compareOne(now, then);
      expect(compared.type).toBe('same');
      expect('allowed' in compared && compared.allowed).toBeCloseTo(1.6, 9);
    }
    expect(compareOne(entry('a', 17, 1.2), entry('a', 10)).type).toBe('slower');
  });

  test('is new without one, and gone only when all was measured', () => {
    const now = [entry('a', 1), entry('b', 1)];
    const then = [entry('a', 1), entry('c', 1)];
    const types = (whole: boolean) => compare(now, then, whole).map(({ type, name }) => `${name} ${type}`);
    expect(types(true)).toEqual(['a same', 'b new', 'c gone']);
    expect(types(false)).toEqual(['a same', 'b new']);
  });
});

test('the verdict names what is slower, faster, new and gone', () => {
  expect(verdict(compare([entry('a', 1)], [entry('a', 1)], true))).toEqual(['No row is slower than noise allows.']);
  const now = [entry('a', 2), entry('b', 1), entry('d', 1)];
  const then = [entry('a', 1), entry('b', 2), entry('c', 1)];
  expect(verdict(compare(now, then, true))).toEqual([
    'Slower than noise allows: a x2.00 (up to x1.25 is noise).',
    'Faster: b.',
    'Not in the baseline: d.',
    'In the baseline but not measured: c.',
  ]);
});

describe('a baseline', () => {
  test('is read as it was written', () => {
    const text = JSON.stringify(baselineOf(results));
    expect(parseBaseline(text, 'base.json').entries).toEqual([
      entry('fold at 10000', 4, 1.02),
      entry('lines: spaces', 10, 0.99),
    ]);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"version":2,"entries":[]}',
    '{"version":1,"entries":[{"name":"a","yardsticks":0}]}',
  ])('that is %j is refused with the name of the file', (text) => {
    expect(() => parseBaseline(text, 'base.json')).toThrow(/^base\.json is not .*--save$/);
  });
});

test('the table shows each row with its ratio, and the noise', () => {
  const then = entriesOf(results).map((each) => ({ ...each, yardsticks: each.yardsticks / 1.07 }));
  const text = tableOf(results, compare(entriesOf(results), then, true)).join('\n');
  expect(text).toMatch(/fold +10,843 +12\.3 ms +4\.00 +8 MB +x1\.02 +x1\.07\n/);
  expect(text).toMatch(/lines: spaces +30\.0 ms +10\.0 +x1\.07\n/);
  expect(text).toContain('differ by 1.0 % (median), 2.0 % at most (fold at 10000)');
  expect(tableOf(results, null).join('\n')).not.toContain('baseline');
});
