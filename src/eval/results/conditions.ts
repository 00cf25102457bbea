import { PrecisError } from '../../core/errors.ts';
import { meanOrNull } from '../statistics/interval.ts';
import type { Cell, RunResult } from '../types.ts';

/** A condition that makes an evaluation fail, such as `survival<80%` or `silent>0`. */
export interface FailCondition {
  /** The condition as it was written. */
  readonly text: string;
  /** The metric it tests. */
  readonly metric: ConditionMetric;
  /** The side of the bound that fails. */
  readonly sign: '<' | '>';
  /** Its bound: shares from 0 to 1, grades from 0 to 5, `silent` in cells. */
  readonly bound: number;
}

/** Metrics that conditions can test: shares of facts, silent failures, shares of errors and invalid states, mean grade. */
export const CONDITION_METRICS = ['survival', 'visible', 'silent', 'errors', 'invalid', 'grade'] as const;
/** One of `CONDITION_METRICS`. */
export type ConditionMetric = (typeof CONDITION_METRICS)[number];

/** Reads conditions, separated by commas: `survival<80%,silent>0`. */
export function parseConditions(text: string): readonly FailCondition[] {
  return text.split(',').map((part) => {
    const match = /^\s*([a-z]+)\s*([<>])\s*(\d+(?:\.\d+)?)(%?)\s*$/.exec(part);
    const metric = CONDITION_METRICS.find((each) => each === match?.[1]);
    if (match === null || metric === undefined)
      throw new PrecisError(
        'bad-option',
        `expected \`--fail-on\` to hold conditions such as survival<80%,silent>0 of ${CONDITION_METRICS.join(', ')}, got \`${part.trim()}\``,
      );
    const bound = Number(match[3]) / (match[4] === '%' ? 100 : 1);
    return { text: part.trim(), metric, sign: match[2] === '<' ? '<' : '>', bound };
  });
}

/** Measures a metric for one arm. Returns null when nothing was measured, which meets every condition. */
function measured(metric: ConditionMetric, runs: readonly RunResult[], arm: string): number | null {
  const cells = runs.flatMap((run) => run.cells.filter((cell) => cell.arm === arm));
  const states = runs.flatMap((run) => run.states.filter((state) => state.arm === arm));
  switch (metric) {
    case 'survival':
    case 'visible':
      return meanOrNull(cells.flatMap((cell) => cell[metric] ?? []));
    case 'silent':
      return cells.length === 0 ? null : cells.filter(misleads).length;
    case 'errors':
      return cells.length === 0
        ? null
        : cells.filter(({ judged }) => judged?.outcome === 'error').length / cells.length;
    case 'invalid':
      return states.length === 0 ? null : states.filter(({ invalid }) => invalid !== null).length / states.length;
    case 'grade':
      return meanOrNull(cells.flatMap(({ judged }) => gradesOf(judged?.grades ?? null)));
  }
}

/** Lists the conditions that an arm meets, and therefore fails on, each with the measured value. An arm without measurements meets all. */
export function metConditions(
  conditions: readonly FailCondition[],
  runs: readonly RunResult[],
  arm: string,
): readonly string[] {
  return conditions.flatMap(({ text, metric, sign, bound }) => {
    const value = measured(metric, runs, arm);
    if (value === null) return [`${text}: nothing was measured`];
    const isMet = sign === '<' ? value < bound : value > bound;
    return isMet ? [`${text}: ${arm} has ${Number(value.toFixed(4))}`] : [];
  });
}

/** Says whether a cell states something false, which is worse than losing a fact. The judge's verdict takes precedence. */
function misleads({ facts, judged }: Cell): boolean {
  if (judged !== null && judged.outcome !== 'error')
    return judged.outcome === 'stale' || judged.outcome === 'confabulated';
  return facts.some(({ outcome }) => outcome === 'stale' || outcome === 'contradicted');
}

/** Lists the grades that were given. Dimensions that do not apply have none. */
export function gradesOf(grades: Readonly<Record<string, number | null>> | null): readonly number[] {
  return grades === null ? [] : Object.values(grades).flatMap((grade) => grade ?? []);
}
