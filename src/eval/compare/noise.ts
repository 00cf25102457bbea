import { METRICS, type Metric } from '../results/metrics.ts';
import { chooseArm, isJudged, type RunCell, scoredCells } from '../results/scored-cells.ts';
import { mean, variance } from '../statistics/interval.ts';
import { normalQuantile } from '../statistics/normal.ts';
import { detectable, spreadOf } from '../statistics/power.ts';
import type { RunResult } from '../types.ts';

/** The source of noise when the same candidate runs again. */
export type NoiseSource = 'compaction' | 'answer' | 'judge' | 'none';

/** How far one metric varies by chance. */
export interface NoiseRow {
  /** E.g. `visible`, `dimension:accuracy`, `type:artifact`. */
  readonly id: string;
  /** Its name for people. */
  readonly title: string;
  /** Best value: 1 for shares, 5 for grades. */
  readonly scale: 1 | 5;
  /** Mean score over the runs. */
  readonly mean: number;
  /** Standard deviation of the score of a whole run. */
  readonly deviation: number;
  /** Lowest score of a run. */
  readonly least: number;
  /** Highest score of a run. */
  readonly greatest: number;
  /** Two single runs of the same candidate differ by less than this in 95 of 100 cases. */
  readonly floor: number;
  /** The same for the means of two results with as many runs as here. */
  readonly floorOfMeans: number;
  /** Smallest difference that a comparison with these probes and runs can be expected to show. */
  readonly detectable: number;
  /** Variance that all probes of a run share. */
  readonly compactionVariance: number;
  /** Variance of single probes that remains. */
  readonly residualVariance: number;
  /** The judge's part of that variance; null when no answer was graded twice. */
  readonly judgeVariance: number | null;
  /** The main source of variance in a run's score. */
  readonly dominant: NoiseSource;
}

/** How far the figures of one candidate vary by chance. */
export interface NoiseReport {
  /** Version of this shape. */
  readonly version: 1;
  /** Name of the results. */
  readonly label: string;
  /** The arm that was measured. */
  readonly arm: string;
  /** How often it ran. */
  readonly runs: number;
  /** Fixtures it ran on. */
  readonly fixtures: number;
  /** One row per metric. */
  readonly rows: readonly NoiseRow[];
  /** Advice on what to repeat next, in a sentence. */
  readonly advice: string;
  /** Reasons to doubt the figures; empty when there are none. */
  readonly caps: readonly string[];
}

/** Options of `noise`. */
export interface NoiseOptions {
  /** The arm. @default the candidate */
  readonly arm?: string;
}

/** With fewer runs than this, the standard deviation is itself noise. */
const LEAST_RUNS = 5;

/** Measures how much the scores of one candidate differ from run to run. All runs must be of the same candidate. */
export function noise(runs: readonly RunResult[], options: NoiseOptions = {}): NoiseReport {
  const arm = chooseArm(runs, options.arm);
  const cells = scoredCells(runs, arm);
  const numbers = [...new Set(runs.map(({ run }) => run))];
  const judged = isJudged(runs);
  const rows = METRICS.flatMap((metric) => rowOf(metric, cells) ?? []);
  const fixtures = new Set(runs.map(({ fixture }) => fixture)).size;
  return {
    version: 1,
    label: [...new Set(runs.map(({ label }) => label))].join(', '),
    arm,
    runs: numbers.length,
    fixtures,
    rows,
    advice: adviceOf(rows, judged),
    caps:
      numbers.length < LEAST_RUNS
        ? [`${numbers.length} runs; ${LEAST_RUNS} are the least for a standard deviation`]
        : [],
  };
}

/** Returns the noise floor of each metric, as `compare` takes them. */
export function floorsOf({ rows }: NoiseReport): Readonly<Record<string, number>> {
  return Object.fromEntries(rows.map(({ id, floorOfMeans }) => [id, floorOfMeans]));
}

function rowOf({ id, title, scale, scoreOf }: Metric, cells: readonly RunCell[]): NoiseRow | null {
  const table = tableOf(cells, scoreOf);
  const scores = runScores(table);
  if (scores.length < 2) return null;
  const deviation = Math.sqrt(variance(scores));
  const two = normalQuantile(0.975) * Math.SQRT2;
  const { shared, own } = componentsOf(table);
  const judgeVariance = judgeVarianceOf(cells, scoreOf);
  const spread = spreadOf(table.map(({ probes }) => probes.flatMap(successive)));
  // The spread is that of single runs; it shrinks with the square root of the number of runs averaged.
  const perMean = spread.deviation / Math.sqrt(scores.length);
  return {
    id,
    title,
    scale,
    mean: mean(scores),
    deviation,
    least: Math.min(...scores),
    greatest: Math.max(...scores),
    floor: two * deviation,
    floorOfMeans: (two * deviation) / Math.sqrt(scores.length),
    detectable: Math.max(
      detectable(perMean, probeCount(table) / Math.max(1, designOf(spread, table))),
      (normalQuantile(0.975) + normalQuantile(0.8)) * deviation * Math.sqrt(2 / scores.length),
    ),
    compactionVariance: shared,
    residualVariance: own,
    judgeVariance,
    dominant: dominantOf({ shared, own, judge: judgeVariance, isAnswer: scale === 5 || id === 'answers' }, table),
  };
}

interface FixtureTable {
  /** Scores of each probe after each pass, one per run; null where it has none. */
  readonly probes: readonly (readonly (number | null)[])[];
}

function tableOf(cells: readonly RunCell[], scoreOf: Metric['scoreOf']): readonly FixtureTable[] {
  const runs = [...new Set(cells.map(({ run }) => run))].sort((x, y) => x - y);
  const fixtures = new Map<string, Map<string, (number | null)[]>>();
  for (const { run, cell } of cells) {
    const value = scoreOf(cell);
    if (value === null) continue;
    const probes = fixtures.get(cell.fixture) ?? new Map<string, (number | null)[]>();
    fixtures.set(cell.fixture, probes);
    const key = `${cell.pass}\0${cell.probe}`;
    const values = probes.get(key) ?? runs.map(() => null);
    values[runs.indexOf(run)] = value;
    probes.set(key, values);
  }
  return [...fixtures.values()].map((probes) => ({ probes: [...probes.values()] }));
}

/** Returns the score of each run. It leaves out runs with missing probes, which would differ for that reason alone. */
function runScores(table: readonly FixtureTable[]): readonly number[] {
  const probes = table.flatMap((fixture) => fixture.probes);
  const runs = probes[0]?.length ?? 0;
  return Array.from({ length: runs }, (_, run) => probes.map((probe) => probe[run] ?? null))
    .filter((values) => !values.includes(null))
    .map((values) => mean(values.map((value) => value ?? 0)));
}

/** Splits the variance of each fixture by a two-way analysis of probes and runs: what all probes of a run share, and the rest. */
function componentsOf(table: readonly FixtureTable[]): { readonly shared: number; readonly own: number } {
  const parts = table.flatMap(({ probes }) => {
    const full = probes.filter((probe) => !probe.includes(null)).map((probe) => probe.map((value) => value ?? 0));
    const runs = full[0]?.length ?? 0;
    if (full.length < 2 || runs < 2) return [];
    const byRun = Array.from({ length: runs }, (_, run) => mean(full.map((probe) => probe[run] ?? 0)));
    const centre = mean(byRun);
    let residual = 0;
    for (const probe of full)
      for (const [run, value] of probe.entries()) residual += (value - mean(probe) - (byRun[run] ?? 0) + centre) ** 2;
    const own = residual / ((runs - 1) * (full.length - 1));
    return [{ own, shared: Math.max(0, variance(byRun) - own / full.length) }];
  });
  if (parts.length === 0) return { shared: 0, own: 0 };
  return { shared: mean(parts.map(({ shared }) => shared)), own: mean(parts.map(({ own }) => own)) };
}

/** Returns the variance that the judge causes: the same answer in several runs differs only by its grades. Null when no answer came twice. */
function judgeVarianceOf(cells: readonly RunCell[], scoreOf: Metric['scoreOf']): number | null {
  const groups = new Map<string, number[]>();
  for (const { cell } of cells) {
    const value = scoreOf(cell);
    if (cell.judged === null || cell.judged.grades === null || value === null) continue;
    const key = [cell.fixture, cell.pass, cell.probe, cell.judged.answer].join('\0');
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  const repeated = [...groups.values()].filter((values) => values.length > 1);
  const degrees = repeated.reduce((sum, values) => sum + values.length - 1, 0);
  if (degrees === 0) return null;
  return repeated.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0) / degrees;
}

interface Parts {
  readonly shared: number;
  readonly own: number;
  readonly judge: number | null;
  readonly isAnswer: boolean;
}

/** Finds the main source of variance in the mean. The chance of single probes averages out over them; that of a run does not. */
function dominantOf({ shared, own, judge, isAnswer }: Parts, table: readonly FixtureTable[]): NoiseSource {
  const perFixture = probeCount(table) / Math.max(1, table.length);
  const single = own / Math.max(1, perFixture);
  if (shared + single < 1e-12) return 'none';
  if (shared >= single || !isAnswer) return 'compaction';
  return judge !== null && judge >= own / 2 ? 'judge' : 'answer';
}

function adviceOf(rows: readonly NoiseRow[], judged: boolean): string {
  const shown = rows.filter(({ id }) => id === (judged ? 'overall' : 'visible'));
  switch (shown[0]?.dominant ?? 'none') {
    case 'none':
      return 'Every run gave the same, so more runs add nothing; more probes and fixtures do.';
    case 'compaction':
      return 'Most of it comes from the compactions: repeat those, not only the answers.';
    case 'answer':
      return 'Most of it comes from single answers: ask more probes, or each more often.';
    case 'judge':
      return 'Most of it comes from the judge: grade each answer more than once, or take a steadier judge.';
  }
}

function probeCount(table: readonly FixtureTable[]): number {
  return table.reduce((sum, { probes }) => sum + probes.length, 0);
}

function designOf({ effective }: { readonly effective: number }, table: readonly FixtureTable[]): number {
  const values = table.reduce((sum, { probes }) => sum + probes.flatMap(successive).length, 0);
  return effective === 0 ? 1 : values / effective;
}

/** Returns the differences between successive runs of a probe. */
function successive(values: readonly (number | null)[]): readonly number[] {
  const given = values.filter((value) => value !== null);
  return given.slice(1).map((value, index) => value - (given[index] ?? 0));
}
