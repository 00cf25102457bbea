import { describe, expect, test } from 'vitest';
import { simulate } from '../../../test/eval/simulated.ts';
import type { RunResult } from '../types.ts';
import { aggregate, lastOf } from './aggregate.ts';
import { differencesOf, recheckRun } from './recheck.ts';
import { parseRunResult } from './run-result.ts';

const judged = simulate({ seed: 4, fixtures: 4, runs: 3, judged: true });

describe('aggregate', () => {
  const summary = aggregate(judged);

  test('agrees with counting by hand', () => {
    const cells = judged.flatMap(({ cells }) => cells.filter(({ arm, pass }) => arm === 'candidate' && pass === 2));
    const row = lastOf(summary.totals, 'candidate')!;
    const visible = cells.filter((cell) => cell.visible === 1).length;
    expect(row).toMatchObject({ pass: 2, runs: 3, probes: 40, tokens: 9000, invalid: 0, errors: 0 });
    expect(row.visible?.mean).toBeCloseTo(visible / cells.length, 12);
    expect(row.micro).toBeCloseTo(visible / cells.length, 12);
    expect(row.loud).toBe(cells.length - visible);
    expect(row.outcomes.verbatim).toBe(visible);
    expect(row.retention).toBeCloseTo(visible / cells.length, 12);
    const paths = cells.filter(({ facts }) => facts[0]?.kind === 'path');
    expect(row.byKind['path']).toMatchObject({
      count: paths.length,
      visible: paths.filter((cell) => cell.visible === 1).length,
    });
    const grades = cells.map(({ judged }) => judged!.grades!.accuracy!);
    expect(row.grades?.accuracy?.mean).toBeCloseTo(grades.reduce((sum, grade) => sum + grade, 0) / grades.length, 12);
  });

  test('the overall of a fixture is the plain mean of its six medians', () => {
    for (const row of summary.rows.filter(({ role }) => role === 'candidate')) {
      const medians = Object.values(row.grades ?? {}).map((grade) => grade?.median ?? 0);
      expect(row.overall?.median).toBeCloseTo(medians.reduce((sum, one) => sum + one, 0) / 6, 12);
    }
  });

  test('every interval holds its mean', () => {
    for (const row of [...summary.rows, ...summary.totals])
      for (const estimate of [row.visible, row.survival, row.answers, row.overall, ...Object.values(row.byType)]) {
        if (estimate === null) continue;
        expect(estimate.low).toBeLessThanOrEqual(estimate.mean);
        expect(estimate.high).toBeGreaterThanOrEqual(estimate.mean);
      }
  });

  test('errors are no scores, and states that cannot be scored are left out', () => {
    const [first] = simulate({ seed: 1, fixtures: 1, runs: 1, passes: 1, judged: true });
    const run: RunResult = {
      ...first!,
      cells: first!.cells.map((cell, index) =>
        index === 0 ? { ...cell, judged: { ...cell.judged!, outcome: 'error', grades: null } } : cell,
      ),
    };
    const row = lastOf(aggregate([run]).totals, 'candidate')!;
    expect(row.errors).toBe(1);
    expect(row.answers?.count).toBe(9);
    const invalid = aggregate([{ ...run, states: run.states.map((state) => ({ ...state, invalid: 'refused' })) }]);
    expect(lastOf(invalid.totals, 'candidate')).toMatchObject({ probes: 0, visible: null, invalid: 1 });
  });

  test('an empty retention is not a number out of nothing', () => {
    const runs = simulate({ seed: 1, fixtures: 1 }).map((run) => ({
      ...run,
      states: run.states.filter(({ role }) => role === 'candidate'),
    }));
    expect(lastOf(aggregate(runs).totals, 'candidate')?.retention).toBeNull();
  });

  test('comes back the same from JSON', () => {
    const again = judged.map((run) => parseRunResult(JSON.stringify(run), 'run.json'));
    expect(differencesOf(JSON.parse(JSON.stringify(aggregate(again))), JSON.parse(JSON.stringify(summary)))).toEqual(
      [],
    );
  });
});

describe('misses', () => {
  test('with a judge are grades below 3, without one lost facts', () => {
    const run = { seed: 1, fixtures: 1, runs: 1, passes: 1, compactionNoise: 0, easy: true };
    const plant = ({ probe }: { readonly probe: string }) =>
      probe === 'p4' ? ('stale' as const) : probe === 'p5' ? ('recoverable' as const) : null;
    expect(aggregate(simulate({ ...run, plant })).misses).toMatchObject([
      {
        probe: 'p4',
        grade: null,
        isSilent: true,
        facts: [{ value: 'value of p4', outcome: 'stale', note: 'not found' }],
      },
    ]);
    const low = simulate({ ...run, judged: true }).map((result) => ({
      ...result,
      cells: result.cells.map((cell) =>
        cell.probe === 'p2'
          ? {
              ...cell,
              judged: {
                ...cell.judged!,
                note: 'why',
                grades: { ...cell.judged!.grades!, accuracy: 0, completeness: 0, continuity: 0 },
              },
            }
          : cell,
      ),
    }));
    const [miss] = aggregate(low).misses;
    expect(miss).toMatchObject({ probe: 'p2', note: 'why' });
    expect(miss?.grade).toBeLessThan(3);
  });
});

describe('stored figures', () => {
  test('that the facts contradict are named', () => {
    const [run] = judged;
    expect(recheckRun(run!)).toEqual([]);
    const cells = run!.cells.map((cell, index) => (index === 0 ? { ...cell, visible: 0.25 } : cell));
    expect(recheckRun({ ...run!, cells })[0]).toMatch(
      /^fixture-1 run 1, candidate pass 1, p1: stored visible is 0.25, its facts give [01]$/,
    );
  });

  test('differences of two values name their place', () => {
    expect(differencesOf({ a: [1, { b: 2 }], c: 1 }, { a: [1, { b: 3 }], d: 1 })).toEqual([
      'a.1.b: stored 2, made anew 3',
      'c: stored 1, made anew nothing',
      'd: stored nothing, made anew 1',
    ]);
    expect(differencesOf({ a: 0.1 + 0.2 }, { a: 0.3 })).toEqual([]);
  });

  test.each([
    ['not json', /run.json: expected the JSON of a run/],
    ['{"version": 2}', /run.json: .* at version/],
    [JSON.stringify({ ...judged[0], cells: [{}] }), /run.json: .* at cells.0/],
  ])('files that are no runs are refused: %#', (text, sentence) => {
    expect(() => parseRunResult(text, 'run.json')).toThrow(sentence);
  });
});
