import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Simulation, simulate } from '../../../test/eval/simulated.ts';
import type { RunResult } from '../types.ts';
import { type CompareOptions, type Comparison, compare, passGate } from './compare.ts';
import { verdictOf } from './compare-metric.ts';
import { paretoOf } from './pareto.ts';

function compared(a: readonly RunResult[], b: readonly RunResult[], options: CompareOptions = {}): Comparison {
  const result = compare(a, b, { resamples: 200, ...options });
  if (result.type === 'refused') throw new Error(result.reasons.join('; '));
  return result;
}

const small: Omit<Simulation, 'seed'> = { fixtures: 7, runs: 2, judged: true };

describe('compare', () => {
  test('turned around gives the opposite, and the same seed the same', () => {
    const simulations = fc.record({
      fixtures: fc.integer({ min: 1, max: 8 }),
      runs: fc.integer({ min: 1, max: 3 }),
      passes: fc.integer({ min: 1, max: 2 }),
      compactionNoise: fc.double({ min: 0.1, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(simulations, fc.nat(1000), (simulation, seed) => {
        const a = simulate({ ...simulation, seed });
        const b = simulate({ ...simulation, seed: seed + 5000 });
        const forth = compared(a, b);
        const back = compared(b, a);
        expect(compared(a, b)).toEqual(forth);
        for (const [index, one] of [forth.primary, ...forth.metrics].entries()) {
          const other = [back.primary, ...back.metrics][index]!;
          expect(other.difference).toBeCloseTo(-one.difference, 12);
          expect(other.interval.low).toBeCloseTo(-one.interval.high, 9);
          expect(other.p).toBeCloseTo(one.p, 12);
          expect(other.verdict).toBe(OPPOSITE[one.verdict]);
          expect(one.interval.low).toBeLessThanOrEqual(one.difference);
          expect(one.interval.high).toBeGreaterThanOrEqual(one.difference);
          expect(one.interval90.low).toBeGreaterThanOrEqual(one.interval.low - 1e-12);
          expect(one.pAdjusted).toBeGreaterThanOrEqual(one.p);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('runs of different number can be compared', () => {
    const a = simulate({ seed: 1, fixtures: 3, runs: 2 });
    const b = simulate({ seed: 2, fixtures: 3, runs: 5 });
    expect(compared(a, b).primary.difference).toBeCloseTo(-compared(b, a).primary.difference, 12);
  });

  test.each([
    ['fixtureDigest', 'the fixture fixture-1 differs'],
    ['bankDigest', 'the probe bank of fixture-1 differs'],
    ['rubricDigest', 'the rubric differs: r, other'],
    ['judgeModel', 'the judge differs: judge, other'],
    ['answerModel', 'the model that answers differs: answerer, other'],
  ])('is refused when %s differs, and then allowed decides nothing', (field, reason) => {
    const a = simulate({ ...small, seed: 1 });
    const b = simulate({ ...small, seed: 1, plant: () => 'lost', provenance: { [field]: 'other' } });
    const refused = compare(a, b);
    expect(refused.type === 'refused' && refused.reasons).toContain(reason);
    const allowed = compared(a, b, { allowMismatch: true });
    for (const { verdict } of [allowed.primary, ...allowed.metrics]) expect(verdict).toBe('inconclusive');
    expect(allowed.caps).toContain(reason);
  });

  test('a change of target or of the model under test is said, not refused', () => {
    const b = simulate({ ...small, seed: 2, provenance: { target: 5000, compressorModel: 'new', precis: '0.2.0' } });
    expect(compared(simulate({ ...small, seed: 1 }), b).remarks).toEqual([
      'version of precis: 0.1.0 → 0.2.0',
      'model that writes summaries: none → new',
      'target: 9000 → 5000',
    ]);
  });

  test('results that share no probe are refused', () => {
    const other = simulate({ seed: 1, fixtures: 1 }).map((run) => ({
      ...run,
      fixture: 'other',
      cells: run.cells.map((cell) => ({ ...cell, fixture: 'other' })),
    }));
    expect(compare(simulate({ seed: 1, fixtures: 1 }), other).type).toBe('refused');
  });

  test('what only one side has is listed and not used', () => {
    const result = compared(simulate({ seed: 1, fixtures: 3 }), simulate({ seed: 1, fixtures: 2 }));
    expect(result.fixtures).toBe(2);
    expect(result.unpaired).toContain('fixture-3/1/p1');
    expect(result.unpaired).toHaveLength(20);
    expect(result.isConditional).toBe(true);
  });

  describe('decides nothing', () => {
    const lost = { seed: 1, plant: () => 'lost' as const };
    test.each<[string, readonly RunResult[], readonly RunResult[], RegExp]>([
      [
        'on few pairs',
        simulate({ seed: 1, fixtures: 1, passes: 1 }),
        simulate({ ...lost, fixtures: 1, passes: 1 }),
        /^10 paired/,
      ],
      [
        'on one compaction by a model',
        simulate({ seed: 1, runs: 1, provenance: { compressorModel: 'm' } }),
        simulate({ ...lost, runs: 1, provenance: { compressorModel: 'm' } }),
        /^A: one compaction by a model/,
      ],
      ['when states are missing', simulate({ seed: 1 }), withInvalid(simulate(lost)), /^B: \d+ % of the states/],
      [
        'when probes can be guessed',
        withRole(simulate({ seed: 1 }), 'floor'),
        simulate(lost),
        /^A: without any context/,
      ],
      [
        'when probes are unsound',
        simulate({ seed: 1 }),
        withRole(simulate(lost), 'ceiling'),
        /^B: with the full context/,
      ],
      [
        'when answers are errors',
        simulate({ seed: 1, judged: true }),
        withErrors(simulate({ ...lost, judged: true })),
        /^B: \d+ % of the answers are errors/,
      ],
    ])('%s', (_, a, b, reason) => {
      const result = compared(a, b);
      expect(result.caps.join('\n')).toMatch(new RegExp(reason.source, 'm'));
      expect(result.primary.verdict).toBe('inconclusive');
    });
  });

  test('states that cannot be scored are left out', () => {
    const a = simulate({ seed: 1, fixtures: 7, runs: 1, compactionNoise: 0 });
    const broken = a.map((run) => ({
      ...run,
      states: run.states.map((state) => (state.pass === 2 ? { ...state, invalid: 'refused' } : state)),
      cells: run.cells.map((cell) => (cell.pass === 2 ? { ...cell, visible: 0 } : cell)),
    }));
    expect(compared(a, broken).primary).toMatchObject({ difference: 0, pairs: 70 });
  });

  test('two arms of one result', () => {
    const runs = simulate({ seed: 1 });
    expect(compared(runs, runs, { arm: 'none', armB: 'full' }).primary).toMatchObject({
      a: 0,
      b: 1,
      verdict: 'improved',
    });
    expect(() => compare(runs, runs, { arm: 'nope' })).toThrow('expected an arm of `candidate`, `full`, `none`');
  });

  test('says what an undecided comparison would need', () => {
    const result = compared(simulate({ seed: 1 }), simulate({ seed: 2 }));
    expect(result.primary.verdict).toBe('inconclusive');
    expect(result.primary.needs?.probes).toBeGreaterThan(0);
    expect(result.primary.needs?.compactions).toBeGreaterThan(0);
  });

  test('shows the rule of thumb beside, and the noise floor when there is one', () => {
    const a = simulate({ seed: 1, easy: true, compactionNoise: 0, runs: 1 });
    const b = simulate({
      seed: 1,
      easy: true,
      compactionNoise: 0,
      runs: 1,
      plant: ({ type }) => (type === 'artifact' ? 'lost' : null),
    });
    const { primary } = compared(a, b, { floors: { visible: 0.1 } });
    expect(primary.ruleOfThumb).toBe('worse');
    expect(primary.timesFloor).toBeCloseTo(2, 9);
    expect(primary.outcomes).toMatchObject({ onlyA: 40, onlyB: 0 });
  });
});

const OPPOSITE = {
  improved: 'regressed',
  regressed: 'improved',
  equivalent: 'equivalent',
  inconclusive: 'inconclusive',
};

function withInvalid(runs: readonly RunResult[]): readonly RunResult[] {
  return runs.map((run) =>
    run.run > 1 ? run : { ...run, states: run.states.map((state) => ({ ...state, invalid: 'failed' })) },
  );
}

/** Turns the control around: everything is found without context, nothing with it. */
function withRole(runs: readonly RunResult[], role: 'ceiling' | 'floor'): readonly RunResult[] {
  const arm = role === 'ceiling' ? 'full' : 'none';
  return runs.map((run) => ({
    ...run,
    cells: run.cells.map((cell) => (cell.arm === arm ? { ...cell, visible: role === 'ceiling' ? 0 : 1 } : cell)),
  }));
}

function withErrors(runs: readonly RunResult[]): readonly RunResult[] {
  return runs.map((run) => ({
    ...run,
    cells: run.cells.map((cell) =>
      cell.judged === null || cell.probe > 'p3'
        ? cell
        : { ...cell, judged: { ...cell.judged, outcome: 'error' as const, grades: null } },
    ),
  }));
}

describe('a verdict', () => {
  const base = { pairs: 100, margin: 0.05, better: 'higher' as const, difference: 0.2, pAdjusted: 0.01 };
  const interval = { low: 0.1, high: 0.3 };
  test.each([
    ['improved', { ...base, interval, interval90: interval }],
    ['regressed', { ...base, better: 'lower' as const, interval, interval90: interval }],
    ['inconclusive', { ...base, pAdjusted: 0.2, interval, interval90: interval }],
    ['inconclusive', { ...base, interval: { low: -0.1, high: 0.3 }, interval90: interval }],
    ['equivalent', { ...base, interval: { low: 0.01, high: 0.06 }, interval90: { low: 0.01, high: 0.04 } }],
    [
      'inconclusive',
      { ...base, pairs: 5, pAdjusted: 1, interval: { low: 0, high: 0 }, interval90: { low: 0, high: 0 } },
    ],
  ])('is %s', (verdict, metric) => expect(verdictOf(metric)).toBe(verdict));
});

describe('quality and size together', () => {
  const costs = (tokensChange: number) => ({ tokensA: 1, tokensB: 1, tokensChange, usdA: null, usdB: null });
  test.each([
    ['improved', -0.1, 'dominates'],
    ['improved', 0.1, 'trade'],
    ['equivalent', -0.1, 'dominates'],
    ['equivalent', 0.005, 'same'],
    ['equivalent', 0.1, 'dominated'],
    ['regressed', 0, 'dominated'],
    ['regressed', -0.5, 'trade'],
    ['inconclusive', -0.5, 'unclear'],
  ] as const)('%s at %d', (verdict, change, label) => expect(paretoOf(verdict, costs(change))).toBe(label));
});

describe('gates', () => {
  const a = simulate({ seed: 1 });
  test('an undecided comparison passes `regression` and fails `noninferior`', () => {
    const result = compared(a, simulate({ seed: 2 }));
    expect(passGate(result, 'regression').passed).toBe(true);
    expect(passGate(result, 'noninferior').passed).toBe(false);
  });

  test('a comparison with caps passes no gate', () => {
    const capped = { ...compared(a, a), caps: ['10 paired probes'] };
    for (const gate of ['regression', 'noninferior'] as const)
      expect(passGate(capped, gate)).toEqual({ gate, passed: false, reasons: ['10 paired probes'] });
  });

  test('a type that got worse fails `regression` although the whole is equivalent', () => {
    const run = { seed: 1, fixtures: 10, runs: 1, compactionNoise: 0, easy: true };
    const plant: Simulation['plant'] = ({ type, pass }) =>
      type === 'constraint' && pass === 2 ? 'contradicted' : null;
    const result = compared(simulate(run), simulate({ ...run, plant }), { margin: 0.1 });
    expect(result.primary.verdict).toBe('equivalent');
    expect(passGate(result, 'regression').reasons).toContain('regressed: constraint probes');
  });
});
