import { PrecisError } from '../../core/errors.ts';
import type { Cell, RunResult } from '../types.ts';

/** A condition under which an evaluation fails: `survival<0.8`, `silent>0`. */
export interface Gate {
  readonly text: string;
  readonly metric: GateMetric;
  readonly sign: '<' | '>';
  readonly bound: number;
}

export const GATE_METRICS = ['survival', 'visible', 'silent', 'errors', 'invalid', 'grade'] as const;
export type GateMetric = (typeof GATE_METRICS)[number];

/** Reads `survival<80%,silent>0`. */
export function parseGates(text: string): readonly Gate[] {
  return text.split(',').map((part) => {
    const match = /^\s*([a-z]+)\s*([<>])\s*(\d+(?:\.\d+)?)(%?)\s*$/.exec(part);
    const metric = GATE_METRICS.find((each) => each === match?.[1]);
    if (match === null || metric === undefined)
      throw new PrecisError(
        'bad-option',
        `expected \`--fail-on\` to hold conditions such as survival<80%,silent>0 of ${GATE_METRICS.join(', ')}, got \`${part.trim()}\``,
      );
    const bound = Number(match[3]) / (match[4] === '%' ? 100 : 1);
    return { text: part.trim(), metric, sign: match[2] === '<' ? '<' : '>', bound };
  });
}

/** What a metric is over the cells of one arm; null when nothing was measured, and then no gate lets it pass. */
export function metricOf(metric: GateMetric, runs: readonly RunResult[], arm: string): number | null {
  const cells = runs.flatMap((run) => run.cells.filter((cell) => cell.arm === arm));
  const states = runs.flatMap((run) => run.states.filter((state) => state.arm === arm));
  switch (metric) {
    case 'survival':
    case 'visible':
      return mean(cells.flatMap((cell) => cell[metric] ?? []));
    case 'silent':
      return cells.length === 0 ? null : cells.filter(misleads).length;
    case 'errors':
      return cells.length === 0
        ? null
        : cells.filter(({ judged }) => judged?.outcome === 'error').length / cells.length;
    case 'invalid':
      return states.length === 0 ? null : states.filter(({ invalid }) => invalid !== null).length / states.length;
    case 'grade':
      return mean(cells.flatMap(({ judged }) => gradesOf(judged?.grades ?? null)));
  }
}

/** The gates that an arm does not pass, each with what was measured. Nothing measured is not passed. */
export function failedGates(gates: readonly Gate[], runs: readonly RunResult[], arm: string): readonly string[] {
  return gates.flatMap((gate) => {
    const value = metricOf(gate.metric, runs, arm);
    if (value === null) return [`${gate.text}: nothing was measured`];
    const fails = gate.sign === '<' ? value < gate.bound : value > gate.bound;
    return fails ? [`${gate.text}: ${arm} has ${Number(value.toFixed(4))}`] : [];
  });
}

/** Worse than losing something: saying something that is not so. */
function misleads({ facts, judged }: Cell): boolean {
  if (judged !== null && judged.outcome !== 'error')
    return judged.outcome === 'stale' || judged.outcome === 'confabulated';
  return facts.some(({ outcome }) => outcome === 'stale' || outcome === 'contradicted');
}

export function gradesOf(grades: Readonly<Record<string, number | null>> | null): readonly number[] {
  return grades === null ? [] : Object.values(grades).flatMap((grade) => grade ?? []);
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
