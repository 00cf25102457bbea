import { ANSWERS, METRICS, type Metric, VISIBLE } from '../results/metrics.ts';
import { chooseArm, isJudged, scoredCells } from '../results/scored-cells.ts';
import type { RunResult } from '../types.ts';
import { type Breakdown, breakdownOf } from './breakdown.ts';
import { mismatches, remarks, weaknesses } from './comparable.ts';
import { compareMetric, type MetricComparison, withVerdicts } from './compare-metric.ts';
import { type CellPair, pairCells, valuesOf } from './pairs.ts';
import { type Costs, costsOf, type Pareto, paretoOf } from './pareto.ts';

/** Options of `compare`. */
export interface CompareOptions {
  /** Arm of A. @default the candidate */
  readonly arm?: string;
  /** Arm of B. @default that of A */
  readonly armB?: string;
  /** Largest difference of shares (from 0 to 1) treated as zero. @default 0.05 */
  readonly margin?: number;
  /** Largest difference of grades (from 0 to 5) treated as zero. @default 0.25 */
  readonly gradeMargin?: number;
  /** Compares even if banks, fixtures or judges differ; every verdict is then `inconclusive`. @default false */
  readonly allowMismatch?: boolean;
  /** Resamples of the bootstrap. @default 10,000 */
  readonly resamples?: number;
  /** The same seed gives the same figures. @default 1 */
  readonly seed?: number;
  /** Noise floors by metric, from `floorsOf`. @default none */
  readonly floors?: Readonly<Record<string, number>>;
}

/** Two results that cannot be compared. */
export interface Refused {
  /** Distinguishes it from a comparison. */
  readonly type: 'refused';
  /** Reasons, as sentences. */
  readonly reasons: readonly string[];
}

/** Two results of the same evaluation. Every figure is B − A. */
export interface Comparison {
  /** Distinguishes it from a refusal. */
  readonly type: 'compared';
  /** Version of this shape. */
  readonly version: 1;
  /** Name of the first result. */
  readonly labelA: string;
  /** Name of the second result. */
  readonly labelB: string;
  /** Arm of the first result. */
  readonly armA: string;
  /** Arm of the second result. */
  readonly armB: string;
  /** The metric that decides: its verdict is the verdict of the comparison. */
  readonly primary: MetricComparison;
  /** The other metrics, corrected for multiple testing within each family. */
  readonly metrics: readonly MetricComparison[];
  /** Where the difference of the primary metric comes from. It describes the difference and decides nothing. */
  readonly breakdown: readonly Breakdown[];
  /** Sizes and prices of both. */
  readonly costs: Costs;
  /** The verdict on quality and size together. */
  readonly pareto: Pareto;
  /** Reasons that limit every verdict to `inconclusive`; empty when there are none. */
  readonly caps: readonly string[];
  /** Intended differences, such as another model that writes summaries. */
  readonly remarks: readonly string[];
  /** Cells that only one result has, as `fixture/pass/probe`. They are not used. */
  readonly unpaired: readonly string[];
  /** Fixtures that both have. */
  readonly fixtures: number;
  /** True when there are too few fixtures for statements about other sessions. */
  readonly isConditional: boolean;
  /** Seed of the bootstrap. */
  readonly seed: number;
  /** Resamples of the bootstrap. */
  readonly resamples: number;
}

/** With fewer fixtures than this, a comparison holds for these fixtures only, not for sessions like them. */
const FEW_FIXTURES = 8;

/** Compares two results of the same evaluation, B against A, and says whether B is better. Every figure is B − A. */
export function compare(
  a: readonly RunResult[],
  b: readonly RunResult[],
  options: CompareOptions = {},
): Comparison | Refused {
  const { allowMismatch = false, seed = 1, resamples = 10_000 } = options;
  const armA = chooseArm(a, options.arm);
  const armB = chooseArm(b, options.armB ?? options.arm);
  const differences = mismatches(a, b);
  if (differences.length > 0 && !allowMismatch) return { type: 'refused', reasons: differences };
  const cellsA = scoredCells(a, armA);
  const cellsB = scoredCells(b, armB);
  const { pairs, unpaired } = pairCells(cellsA, cellsB);
  const primary = primaryOf(pairs);
  if (primary === null) return { type: 'refused', reasons: ['the two have no scored probe in common'] };
  const weak = weaknesses(
    { runs: a, arm: armA, cells: cellsA },
    { runs: b, arm: armB, cells: cellsB },
    valuesOf(pairs, primary).length,
  );
  const caps = [...differences, ...weak];
  const judged = isJudged(a) && isJudged(b);
  const settings = {
    seed,
    resamples,
    margin: options.margin ?? MARGIN,
    gradeMargin: options.gradeMargin ?? GRADE_MARGIN,
    floors: options.floors ?? {},
  };
  const found = METRICS.filter((metric) => judged || !needsJudge(metric)).flatMap(
    (metric) =>
      compareMetric({ ...metric, family: familyOf(metric, primary) }, valuesOf(pairs, metric), settings) ?? [],
  );
  const metrics = withVerdicts(found, { isCapped: caps.length > 0 });
  const decided = metrics.find(({ id }) => id === primary.id) as MetricComparison;
  const costs = costsOf({ runs: a, arm: armA }, { runs: b, arm: armB });
  return {
    type: 'compared',
    version: 1,
    labelA: labelOf(a),
    labelB: labelOf(b),
    armA,
    armB,
    primary: decided,
    metrics: metrics.filter((metric) => metric !== decided),
    breakdown: breakdownOf(pairs, primary),
    costs,
    pareto: paretoOf(decided.verdict, costs),
    caps,
    remarks: remarks(a, b),
    unpaired,
    fixtures: decided.fixtures,
    isConditional: decided.fixtures < FEW_FIXTURES,
    seed,
    resamples,
  };
}

/** Five percentage points. A smaller difference would not change which candidate to choose. */
const MARGIN = 0.05;
/** The same margin on the scale of grades. */
const GRADE_MARGIN = 0.25;

/** Chooses the metric that decides: visible survival, or the answers when no probe expects facts. */
function primaryOf(pairs: readonly CellPair[]): Metric | null {
  return [VISIBLE, ANSWERS].find((metric) => valuesOf(pairs, metric).length > 0) ?? null;
}

function familyOf(metric: Metric, primary: Metric): Metric['family'] {
  if (metric.id === primary.id) return 'primary';
  return metric.family === 'primary' ? 'secondary' : metric.family;
}

function needsJudge({ id, family }: Metric): boolean {
  return family === 'dimension' || id === 'answers' || id === 'overall';
}

function labelOf(runs: readonly RunResult[]): string {
  return [...new Set(runs.map(({ label }) => label))].join(', ');
}

/** Lists the metrics whose verdict is `regressed`, the primary one first. */
export function regressedIn({ primary, metrics }: Comparison): readonly MetricComparison[] {
  return [primary, ...metrics].filter(({ verdict }) => verdict === 'regressed');
}

/** A demand on a comparison: it must not show a loss (`regression`), or must rule one out (`noninferior`). */
export type ComparisonGate = 'regression' | 'noninferior';

/** Whether a comparison passed a gate. */
export interface GateResult {
  /** The gate. */
  readonly gate: ComparisonGate;
  /** True when there is no reason against it. */
  readonly passed: boolean;
  /** Reasons why it did not pass; empty when it did. */
  readonly reasons: readonly string[];
}

/**
 * Checks a comparison against a gate. `regression` fails when a metric got worse. `noninferior` also fails unless the data rule out a loss above
 * the margin. A comparison with `caps` decides nothing, so it passes neither.
 */
export function passGate(comparison: Comparison, gate: ComparisonGate): GateResult {
  const reasons = [...comparison.caps, ...gateOnEvidence(comparison, gate).reasons];
  return { gate, passed: reasons.length === 0, reasons };
}

/** Checks the figures alone against a gate, for reports that list the caps themselves. */
export function gateOnEvidence(comparison: Comparison, gate: ComparisonGate): GateResult {
  const { primary } = comparison;
  const reasons = regressedIn(comparison).map(({ title }) => `regressed: ${title}`);
  const worst = primary.better === 'higher' ? primary.interval.low : -primary.interval.high;
  if (gate === 'noninferior' && worst < -primary.margin)
    reasons.push(`a loss of more than ${primary.margin} of ${primary.title} cannot be ruled out`);
  return { gate, passed: reasons.length === 0, reasons };
}
