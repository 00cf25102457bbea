import { mean, median } from '../statistics/interval.ts';
import { spreadOf } from '../statistics/power.ts';
import { wilson } from '../statistics/proportion.ts';
import { tQuantile } from '../statistics/student.ts';
import { isKeptFact, isVisibleFact } from '../survival/survival.ts';
import {
  type ArmRole,
  type Cell,
  DIMENSIONS,
  type Dimension,
  type FactOutcome,
  type RunResult,
  type StateResult,
} from '../types.ts';
import { answerScore, gradeOf, isError, isSilentFact, METRICS, type Metric } from './metrics.ts';
import { type RunCell, scoredCells } from './scored-cells.ts';

/** A mean with its 95 % interval. */
export interface Estimate {
  /** The mean. */
  readonly mean: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Number of probes, each averaged over its runs. */
  readonly count: number;
}

/** Facts of one kind: their number, and how many the state still holds. */
export interface FactShare {
  /** Expected facts. */
  readonly count: number;
  /** Facts that a reader of the state sees. */
  readonly visible: number;
  /** Facts that a reader sees or can look up. */
  readonly kept: number;
}

/** Grades from 0 to 5. */
export interface GradeSummary extends Estimate {
  /** Median over the runs of the mean over the probes. */
  readonly median: number;
}

/** The figures of one arm after one pass. Means over no probe are null. */
export interface ArmSummary {
  /** Name of the fixture; null for all fixtures together. */
  readonly fixture: string | null;
  /** Name of the arm. */
  readonly arm: string;
  /** Role of the arm. */
  readonly role: ArmRole;
  /** Compactions so far; 0 for arms that do not compact. */
  readonly pass: number;
  /** Runs with a scored state. */
  readonly runs: number;
  /** Probes that were asked. */
  readonly probes: number;
  /** Share of facts that are visible or recoverable. */
  readonly survival: Estimate | null;
  /** Share of facts that a reader of the state sees. */
  readonly visible: Estimate | null;
  /** Share of right answers; a partly right one counts half. */
  readonly answers: Estimate | null;
  /** Position of the score between no context (0) and the full one (1); null without those arms. */
  readonly retention: number | null;
  /** Visible survival by type of probe. */
  readonly byType: Readonly<Record<string, Estimate>>;
  /** Facts by kind. */
  readonly byKind: Readonly<Record<string, FactShare>>;
  /** Share of all facts that are visible. Each fact counts the same. */
  readonly micro: number | null;
  /** Mean over the kinds of facts. Each kind counts the same. */
  readonly macro: number | null;
  /** Number of facts by outcome. */
  readonly outcomes: Readonly<Record<FactOutcome, number>>;
  /** Facts that the state gives wrongly without any sign of it. */
  readonly silent: number;
  /** Facts that are visibly missing. */
  readonly loud: number;
  /** Answers that are wrong without any sign of it: stale or made up. */
  readonly silentAnswers: number;
  /** Answers that openly say they do not know. */
  readonly loudAnswers: number;
  /** Grades by dimension; null without a judge. */
  readonly grades: Readonly<Record<Dimension, GradeSummary | null>> | null;
  /** Mean grade over the dimensions; null without a judge. */
  readonly overall: GradeSummary | null;
  /** Mean size of the states, in tokens. */
  readonly tokens: number;
  /** Mean size of the source of the states, in tokens. */
  readonly tokensOfSource: number;
  /** Mean number of model calls per compaction. */
  readonly calls: number;
  /** Mean price of a compaction, in US dollars; null when a price is unknown. */
  readonly usd: number | null;
  /** Mean time of a compaction, in milliseconds. */
  readonly ms: number;
  /** States that could not be scored. */
  readonly invalid: number;
  /** Answers that are errors. */
  readonly errors: number;
  /** Number of times a judge was asked again. */
  readonly retries: number;
}

export interface ArmKey {
  readonly fixture: string | null;
  readonly arm: string;
  readonly role: ArmRole;
  readonly pass: number;
}

/** Computes the figures of one arm after one pass. */
export function summariseArm(runs: readonly RunResult[], key: ArmKey): ArmSummary {
  const cells = scoredCells(runs, key.arm).filter(({ cell }) => cell.pass === key.pass);
  const states = runs.flatMap((run) => run.states.filter(({ arm, pass }) => arm === key.arm && pass === key.pass));
  const scored = states.filter(({ invalid }) => invalid === null);
  const judged = cells.some(({ cell }) => cell.judged !== null);
  const facts = cells.flatMap(({ cell }) => cell.facts);
  const byKind = kindsOf(facts);
  const answers = cells.map(({ cell }) => cell.judged?.outcome);
  return {
    ...key,
    runs: new Set(cells.map(({ run }) => run)).size,
    probes: new Set(cells.map(({ cell }) => `${cell.fixture}\0${cell.probe}`)).size,
    survival: shareOf(cells, (cell) => cell.survival),
    visible: shareOf(cells, (cell) => cell.visible),
    answers: shareOf(cells, answerScore),
    retention: null,
    byType: typesOf(cells),
    byKind,
    micro: facts.length === 0 ? null : facts.filter(isVisibleFact).length / facts.length,
    macro: facts.length === 0 ? null : mean(Object.values(byKind).map(({ count, visible }) => visible / count)),
    outcomes: outcomesOf(facts),
    silent: facts.filter(isSilentFact).length,
    loud: facts.filter(({ outcome }) => outcome === 'lost').length,
    silentAnswers: answers.filter((outcome) => outcome === 'stale' || outcome === 'confabulated').length,
    loudAnswers: answers.filter((outcome) => outcome === 'abstained').length,
    grades: judged ? gradesOf(cells) : null,
    overall: judged ? overallOf(cells) : null,
    ...costOf(scored),
    invalid: states.length - scored.length,
    errors: cells.filter(({ cell }) => isError(cell)).length,
    retries: cells.reduce((sum, { cell }) => sum + (cell.judged?.retries ?? 0), 0),
  };
}

function costOf(
  states: readonly StateResult[],
): Pick<ArmSummary, 'tokens' | 'tokensOfSource' | 'calls' | 'usd' | 'ms'> {
  const average = (value: (state: StateResult) => number): number =>
    states.length === 0 ? 0 : mean(states.map(value));
  return {
    tokens: average(({ tokens }) => tokens),
    tokensOfSource: average(({ tokensOfSource }) => tokensOfSource),
    calls: average(({ calls }) => calls),
    usd: states.some(({ usd }) => usd === null) ? null : average(({ usd }) => usd ?? 0),
    ms: average(({ ms }) => ms),
  };
}

type Score = Metric['scoreOf'];

/** Averages the runs of each probe, and groups the probes by fixture. */
function groupsOf(cells: readonly RunCell[], scoreOf: Score): readonly (readonly number[])[] {
  const fixtures = new Map<string, Map<string, number[]>>();
  for (const { cell } of cells) {
    const value = scoreOf(cell);
    if (value === null) continue;
    const probes = fixtures.get(cell.fixture) ?? new Map<string, number[]>();
    fixtures.set(cell.fixture, probes);
    probes.set(cell.probe, [...(probes.get(cell.probe) ?? []), value]);
  }
  return [...fixtures.values()].map((probes) => [...probes.values()].map(mean));
}

/** Computes Wilson's interval for the number of independent probes that the grouped ones are worth. */
function shareOf(cells: readonly RunCell[], scoreOf: Score): Estimate | null {
  const groups = groupsOf(cells, scoreOf);
  const values = groups.flat();
  if (values.length === 0) return null;
  const centre = mean(values);
  const { effective } = spreadOf(groups);
  return { mean: centre, ...wilson(centre * effective, effective), count: values.length };
}

function gradeSummary(cells: readonly RunCell[], scoreOf: Score): GradeSummary | null {
  const groups = groupsOf(cells, scoreOf);
  const values = groups.flat();
  if (values.length === 0) return null;
  const { deviation, effective } = spreadOf(groups);
  const centre = mean(values);
  const half = effective < 2 ? 5 : (tQuantile(0.975, effective - 1) * deviation) / Math.sqrt(effective);
  const byRun = [...new Set(cells.map(({ run }) => run))].map((run) =>
    cells
      .filter((each) => each.run === run)
      .map(({ cell }) => scoreOf(cell))
      .filter((value) => value !== null),
  );
  return {
    mean: centre,
    low: Math.max(0, centre - half),
    high: Math.min(5, centre + half),
    count: values.length,
    median: median(byRun.filter((run) => run.length > 0).map(mean)),
  };
}

function gradesOf(cells: readonly RunCell[]): Readonly<Record<Dimension, GradeSummary | null>> {
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [dimension, gradeSummary(cells, scoreOfMetric(`dimension:${dimension}`))]),
  ) as Record<Dimension, GradeSummary | null>;
}

/** Summarises all grades. The median is the mean of the dimensions' medians, so that the row of a report adds up. */
function overallOf(cells: readonly RunCell[]): GradeSummary | null {
  const overall = gradeSummary(cells, gradeOf);
  const medians = Object.values(gradesOf(cells)).flatMap((grade) => (grade === null ? [] : [grade.median]));
  return overall === null ? null : { ...overall, median: medians.length === 0 ? overall.median : mean(medians) };
}

function scoreOfMetric(id: string): Score {
  return METRICS.find((metric) => metric.id === id)?.scoreOf ?? (() => null);
}

function typesOf(cells: readonly RunCell[]): Readonly<Record<string, Estimate>> {
  const types = [...new Set(cells.map(({ cell }) => cell.type))].sort();
  return Object.fromEntries(
    types.flatMap((type) => {
      const share = shareOf(cells, (cell) => (cell.type === type ? cell.visible : null));
      return share === null ? [] : [[type, share]];
    }),
  );
}

type Facts = Cell['facts'];

function kindsOf(facts: Facts): Readonly<Record<string, FactShare>> {
  const kinds = [...new Set(facts.map(({ kind }) => kind))].sort();
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = facts.filter((fact) => fact.kind === kind);
      return [
        kind,
        { count: own.length, visible: own.filter(isVisibleFact).length, kept: own.filter(isKeptFact).length },
      ];
    }),
  );
}

function outcomesOf(facts: Facts): Readonly<Record<FactOutcome, number>> {
  const counts = { verbatim: 0, normalised: 0, recoverable: 0, stale: 0, contradicted: 0, lost: 0 };
  for (const { outcome } of facts) counts[outcome]++;
  return counts;
}
