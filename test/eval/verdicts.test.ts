/** Whether verdicts can be trusted: what is the same is not called different, and what was broken is found and named. */
import { describe, expect, test } from 'vitest';
import { type Comparison, compare, passGate, regressedIn } from '../../src/eval/compare/compare.ts';
import type { RunResult } from '../../src/eval/types.ts';
import { type PlantedFact, type Simulation, simulate } from './simulated.ts';

function compared(a: readonly RunResult[], b: readonly RunResult[], resamples = 1000): Comparison {
  const result = compare(a, b, { resamples });
  if (result.type === 'refused') throw new Error(result.reasons.join('; '));
  return result;
}

const COMPARISONS = 200;
const isCalled = (verdict: string): boolean => verdict === 'improved' || verdict === 'regressed';

describe('two results of the same candidate', () => {
  test.each<[string, Omit<Simulation, 'seed'>]>([
    ['ten fixtures, three runs', { fixtures: 10 }],
    ['six fixtures, four passes that follow from each other', { fixtures: 6, passes: 4 }],
    ['three fixtures, three runs', { fixtures: 3 }],
    ['one fixture, five runs', { fixtures: 1, runs: 5 }],
    ['ten fixtures, judged', { fixtures: 10, runs: 1, judged: true }],
  ])('are called different in at most one of twenty comparisons: %s', (_, simulation) => {
    let primary = 0;
    let any = 0;
    for (let round = 0; round < COMPARISONS; round++) {
      const a = simulate({ ...simulation, seed: 2 * round + 1 });
      const b = simulate({ ...simulation, seed: 2 * round + 2 });
      const result = compared(a, b, 500);
      if (isCalled(result.primary.verdict)) primary++;
      if (result.metrics.some(({ verdict }) => isCalled(verdict))) any++;
    }
    expect(primary / COMPARISONS).toBeLessThanOrEqual(0.05);
    expect(any / COMPARISONS).toBeLessThanOrEqual(0.05);
  });

  test('of a compactor without chance are equivalent, and a gate passes', () => {
    const run = { seed: 1, runs: 1, compactionNoise: 0 };
    const result = compared(simulate(run), simulate({ ...run, seed: 2 }));
    expect(result.primary).toMatchObject({ verdict: 'equivalent', difference: 0, needs: null });
    expect(result.pareto).toBe('same');
    expect(passGate(result, 'regression').passed).toBe(true);
    expect(passGate(result, 'noninferior').passed).toBe(true);
  });
});

const PLANTED: readonly (readonly [
  string,
  (fact: PlantedFact) => ReturnType<NonNullable<Simulation['plant']>>,
  Named,
])[] = [
  [
    'the file list is dropped',
    ({ type }) => (type === 'artifact' ? 'lost' : null),
    { type: 'artifact', kind: 'path', dimension: 'artifact_trail' },
  ],
  [
    'a constraint is paraphrased',
    ({ type }) => (type === 'constraint' ? 'contradicted' : null),
    { type: 'constraint', kind: 'constraint', dimension: 'instruction_following' },
  ],
  [
    'a stale value is kept',
    ({ type }) => (type === 'supersession' ? 'stale' : null),
    { type: 'supersession', kind: 'number', dimension: 'context_awareness' },
  ],
  [
    'the error code is lost',
    ({ kind }) => (kind === 'error' ? 'lost' : null),
    { type: 'recall', kind: 'error', dimension: 'accuracy' },
  ],
  [
    'the first pass is forgotten',
    ({ type, pass }) => (pass > 1 && (type === 'drift' || type === 'recall') ? 'lost' : null),
    { type: 'drift', pass: '2', dimension: 'continuity' },
  ],
];

interface Named {
  readonly type: string;
  readonly kind?: string;
  readonly pass?: string;
  readonly dimension: string;
}

describe('planted regressions', () => {
  test.each(PLANTED)('%s: called regressed, and named, without a model', (_, plant, named) => {
    // Two types at once need more than the six fixtures that one can be shown with.
    const fixtures = named.pass === undefined ? 6 : 8;
    const run = { seed: 1, fixtures, runs: 1, compactionNoise: 0, easy: true };
    const result = compared(simulate(run), simulate({ ...run, plant }));
    expect(result.primary.verdict).toBe('regressed');
    expect(passGate(result, 'regression')).toMatchObject({ passed: false });
    const concentrated = result.breakdown
      .filter(({ isConcentrated }) => isConcentrated)
      .map(({ by, name }) => `${by} ${name}`);
    expect(concentrated).toContain(`type ${named.type}`);
    if (named.kind !== undefined) expect(concentrated).toContain(`kind ${named.kind}`);
    if (named.pass !== undefined) expect(concentrated).toContain(`pass ${named.pass}`);
    expect(regressedIn(result).map(({ id }) => id)).toContain(`type:${named.type}`);
    const others = ['artifact', 'constraint', 'supersession', 'decision', 'continuation'].filter(
      (type) => type !== named.type,
    );
    for (const type of others) expect(regressedIn(result).map(({ id }) => id)).not.toContain(`type:${type}`);
    // The other way round it is an improvement.
    expect(compared(simulate({ ...run, plant }), simulate(run)).primary.verdict).toBe('improved');
  });

  test.each(PLANTED)('%s: the dimension is named when a model compacts and judges', (_, plant, { type, dimension }) => {
    const run = { fixtures: 12, runs: 3, judged: true, compactionNoise: 0.3, easy: true };
    const result = compared(simulate({ ...run, seed: 1 }), simulate({ ...run, seed: 2, plant }));
    const names = regressedIn(result).map(({ id }) => id);
    expect(names).toContain('visible');
    expect(names).toContain(`type:${type}`);
    expect(names).toContain(`dimension:${dimension}`);
  });

  test('silent failures are counted apart from loud ones', () => {
    const run = { seed: 1, runs: 1, compactionNoise: 0, easy: true };
    const [, plant] = PLANTED[2]!;
    const silent = compared(simulate(run), simulate({ ...run, plant })).metrics.find(({ id }) => id === 'silent');
    expect(silent).toMatchObject({ verdict: 'regressed', better: 'lower' });
    const [, loud] = PLANTED[0]!;
    const none = compared(simulate(run), simulate({ ...run, plant: loud })).metrics.find(({ id }) => id === 'silent');
    expect(none).toMatchObject({ difference: 0, verdict: 'equivalent' });
  });
});
