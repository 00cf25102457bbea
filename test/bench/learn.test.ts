import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boost, type Rows } from '../../bench/learn/boost.ts';
import { creditsOf } from '../../bench/learn/credit.ts';
import { featureFingerprint } from '../../bench/learn/fingerprint.ts';
import { leaveOneOut, tabled } from '../../bench/learn/folds.ts';
import { readFolder, readShipped } from '../../bench/learn/read-labelled.ts';
import { recordHistory } from '../../src/core/facts/history-record.ts';
import type { Tree } from '../../src/core/worth/score.ts';
import { survey } from '../../src/core/worth/survey.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { build } from '../../src/testing/build/build.ts';

const SMALL = { trees: 30, depth: 2, rate: 0.3, calm: 1, least: 1, columns: 1 };

describe('the learned weights', () => {
  it('belong to the features as they are computed now', () => {
    const { about } = JSON.parse(readFileSync('src/core/worth/learned.json', 'utf8')) as {
      readonly about: { readonly features: string; readonly commit: string; readonly sessions: number };
    };
    const remedy = 'features changed: run `npm run learn -- --save`, or `-- --stamp` when the data is not at hand';
    expect(about.features, remedy).toBe(featureFingerprint());
    expect(about.sessions).toBeGreaterThan(1);
    expect(about.commit).toMatch(/^[0-9a-f]{7,}/);
  });
});

describe('boost', () => {
  const column = Float64Array.from({ length: 400 }, (_, at) => at % 10);
  const rows: Rows = {
    columns: [column, Float64Array.from({ length: 400 }, (_, at) => (at * 7) % 13)],
    counted: column.map((value) => (value > 6 ? 1 : 0)),
    expected: new Float64Array(400).fill(0.3),
    weights: new Float64Array(400).fill(1),
  };

  it('finds the column that matters, and where it matters', () => {
    const answer = (value: number): number =>
      boost(rows, SMALL).reduce<number>((sum, tree) => sum + follow(tree, [value, 5]), 0);
    expect(answer(8)).toBeGreaterThan(1);
    expect(answer(3)).toBeLessThan(-1);
  });

  it('learns the same trees every time', () => {
    expect(boost(rows, SMALL)).toEqual(boost(rows, SMALL));
  });
});

function follow(tree: Tree, row: readonly number[]): number {
  return typeof tree === 'number' ? tree : follow((row[tree[0]] ?? 0) <= tree[1] ? tree[2] : tree[3], row);
}

describe('the credit of a fact', () => {
  const { messages } = build()
    .user('The limit is 250.')
    .assistant('The limit is 250, I see.')
    .call('bash', { command: 'make' })
    .result('all good')
    .assistant('Port 8080 is free.')
    .user('Good.')
    .decode(openaiChat);
  const surveyed = survey(recordHistory(messages).entries);
  const creditAt = (words: string, credits: Float64Array): number =>
    credits[surveyed.passages.findIndex((passage) => passage.words === words)] ?? Number.NaN;

  it('is divided by the places that say it', () => {
    const { passages } = creditsOf(surveyed, [{ kind: 'value', needles: ['limit is 250'] }]);
    expect(creditAt('The limit is 250.', passages)).toBe(0.5);
    expect(passages.reduce((sum, credit) => sum + credit, 0)).toBe(1);
  });

  it('goes to each needle where no place holds them all', () => {
    const { passages } = creditsOf(surveyed, [{ kind: 'value', needles: ['Port 8080', 'all good'] }]);
    expect(creditAt('Port 8080 is free.', passages)).toBe(0.5);
    expect(creditAt('all good', passages)).toBe(0.5);
  });

  it('of a constraint counts twice', () => {
    const { passages } = creditsOf(surveyed, [{ kind: 'constraint', needles: ['Port 8080'] }]);
    expect(creditAt('Port 8080 is free.', passages)).toBe(2);
  });
});

describe('leaving one source out', () => {
  it('learns for each source from the others, from the sessions that ship alone', () => {
    const sessions = tabled(readShipped().sessions.slice(0, 3));
    const seen: string[] = [];
    const learned = leaveOneOut(sessions, {
      options: { passages: SMALL, terms: SMALL, without: new Set() },
      onSource: (source) => seen.push(source),
    });
    expect([...learned.keys()].sort()).toEqual(seen.toSorted());
    const trees = [...learned.values()].map(({ passages }) => JSON.stringify(passages));
    expect(new Set(trees).size).toBe(3);
  });
});

describe('a folder of sessions', () => {
  it('that is not one is refused with the file and what was expected', () => {
    expect(() => readFolder('/nowhere')).toThrow('/nowhere/sources.json: expected a file that can be read');
  });
});
