import { meanOrNull } from '../statistics/interval.ts';
import type { Cell, Dimension, FactOutcome, FactResult, ProbeType } from '../types.ts';
import { DIMENSIONS, PROBE_TYPES } from '../types.ts';

/** Metrics of one family are corrected together for multiple testing; the primary metric needs no correction. */
export type MetricFamily = 'primary' | 'secondary' | 'dimension' | 'type';

/** A figure that can be computed for a cell. */
export interface Metric {
  /** E.g. `visible`, `dimension:accuracy`, `type:artifact`. */
  readonly id: string;
  readonly title: string;
  readonly family: MetricFamily;
  /** Best value: 1 for shares, 5 for grades. */
  readonly scale: 1 | 5;
  readonly better: 'higher' | 'lower';
  /** Scores a cell; null where the metric does not apply. */
  readonly scoreOf: (cell: Cell) => number | null;
}

/** Share of facts that a reader of the state sees without looking up originals. */
export const VISIBLE: Metric = {
  id: 'visible',
  title: 'visible survival',
  family: 'primary',
  scale: 1,
  better: 'higher',
  scoreOf: (cell) => cell.visible,
};

export const SURVIVAL: Metric = {
  id: 'survival',
  title: 'survival with recall',
  family: 'secondary',
  scale: 1,
  better: 'higher',
  scoreOf: (cell) => cell.survival,
};

export const ANSWERS: Metric = {
  id: 'answers',
  title: 'right answers',
  family: 'secondary',
  scale: 1,
  better: 'higher',
  scoreOf: answerScore,
};

export const SILENT: Metric = {
  id: 'silent',
  title: 'silent failures',
  family: 'secondary',
  scale: 1,
  better: 'lower',
  scoreOf: (cell) => (cell.facts.length === 0 && cell.judged === null ? null : Number(isSilent(cell))),
};

export const OVERALL: Metric = {
  id: 'overall',
  title: 'overall grade',
  family: 'secondary',
  scale: 5,
  better: 'higher',
  scoreOf: gradeOf,
};

export const METRICS: readonly Metric[] = [
  VISIBLE,
  SURVIVAL,
  SILENT,
  ANSWERS,
  OVERALL,
  ...DIMENSIONS.map(dimensionMetric),
  ...PROBE_TYPES.map(typeMetric),
];

function dimensionMetric(dimension: Dimension): Metric {
  return {
    id: `dimension:${dimension}`,
    title: dimension.replaceAll('_', ' '),
    family: 'dimension',
    scale: 5,
    better: 'higher',
    scoreOf: (cell) => (isError(cell) ? null : (cell.judged?.grades?.[dimension] ?? null)),
  };
}

function typeMetric(type: ProbeType): Metric {
  return {
    id: `type:${type}`,
    title: `${type} probes`,
    family: 'type',
    scale: 1,
    better: 'higher',
    scoreOf: (cell) => (cell.type === type ? cell.visible : null),
  };
}

export function isError({ judged }: Cell): boolean {
  return judged?.outcome === 'error';
}

/** Scores an answer: 1 for right, ½ for partly right, 0 for wrong, null for an error. An abstention is right when the session holds no answer. */
export function answerScore(cell: Cell): number | null {
  const { judged, type } = cell;
  if (judged === null || isError(cell)) return null;
  if (judged.outcome === 'correct') return 1;
  if (judged.outcome === 'abstained' && type === 'abstention') return 1;
  return judged.outcome === 'partial' ? 0.5 : 0;
}

/** Averages the dimensions that apply to the probe. */
export function gradeOf(cell: Cell): number | null {
  const { judged } = cell;
  if (judged === null || judged.grades === null || isError(cell)) return null;
  const { grades } = judged;
  const given = DIMENSIONS.map((dimension) => grades[dimension]).filter(
    (grade) => grade !== null && grade !== undefined,
  );
  return meanOrNull(given);
}

const SILENT_FACTS: readonly FactOutcome[] = ['stale', 'contradicted'];

/** Says whether a cell is wrong without any sign of it, which is the worst way to lose a fact. */
function isSilent({ facts, judged }: Cell): boolean {
  return facts.some(isSilentFact) || judged?.outcome === 'stale' || judged?.outcome === 'confabulated';
}

export function isSilentFact({ outcome }: FactResult): boolean {
  return SILENT_FACTS.includes(outcome);
}
