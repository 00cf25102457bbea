import { answerScore } from '../results/metrics.ts';
import { chooseArm, scoredCells } from '../results/scored-cells.ts';
import {
  type Agreement,
  agreement,
  type Confusion,
  type CorrectedShare,
  correctedShare,
  LEAST_INFORMATIVE,
} from '../statistics/agreement.ts';
import type { Cell, RunResult } from '../types.ts';
import type { Label } from './labels.ts';

/** How well a judge agrees with people. */
export interface Calibration {
  /** Version of this shape. */
  readonly version: 1;
  /** The judge, by the name of its model. */
  readonly judgeModel: string | null;
  /** Labels that were given. */
  readonly labels: number;
  /** Labels of answers that the runs do not hold or no judge could grade. */
  readonly unused: number;
  /** The labels, counted by both verdicts. */
  readonly confusion: Confusion;
  /** Agreement, scaled to the shares of a random sample; null without labels. */
  readonly agreement: Agreement | null;
  /** Labels of answers picked at random. */
  readonly random: number;
  /** Labels of answers picked from those that the judge passed. */
  readonly positive: number;
  /** The arm whose score is corrected. */
  readonly arm: string;
  /** Share of its answers that the judge passed; null without graded answers. */
  readonly passed: number | null;
  /** Its graded answers. */
  readonly count: number;
  /** The share that people would pass; null when the judge is too unreliable to correct. */
  readonly corrected: CorrectedShare | null;
  /** Reasons not to trust the judge yet; empty when there are none. */
  readonly reasons: readonly string[];
}

/** Labels that each sample needs. When most answers fail, even a useless judge looks perfect. */
const LEAST_LABELS = 50;
const LEAST_KAPPA = 0.6;

/** Options of `calibrate`. */
export interface CalibrateOptions {
  /** The arm whose score is corrected. @default the candidate */
  readonly arm?: string;
}

/** Compares the verdicts of a judge with those of people. */
export function calibrate(
  labels: readonly Label[],
  runs: readonly RunResult[],
  options: CalibrateOptions = {},
): Calibration {
  const arm = chooseArm(runs, options.arm);
  const cells = new Map<string, Cell>();
  for (const { run, cells: own } of runs)
    for (const cell of own) cells.set([cell.fixture, cell.arm, cell.pass, run, cell.probe].join('\0'), cell);
  const pairs = labels.flatMap((label) => {
    const cell = cells.get([label.fixture, label.arm, label.pass, label.run, label.probe].join('\0'));
    const judge = cell === undefined ? null : isPassed(cell);
    return judge === null ? [] : [{ label, judge }];
  });
  const count = (human: boolean, judge: boolean): number =>
    pairs.filter((pair) => pair.label.correct === human && pair.judge === judge).length;
  const confusion: Confusion = {
    bothPass: count(true, true),
    onlyJudge: count(false, true),
    onlyHuman: count(true, false),
    bothFail: count(false, false),
  };
  const random = pairs.filter(({ label }) => label.sample === 'random').length;
  const positive = pairs.filter(({ label, judge }) => label.sample === 'positive' && judge).length;
  const agreed = pairs.length === 0 ? null : agreement(positive === 0 ? confusion : reweighted(confusion, pairs));
  const judged = scoredCells(runs, arm).flatMap(({ cell }) => isPassed(cell) ?? []);
  const passed = judged.length === 0 ? null : judged.filter(Boolean).length / judged.length;
  return {
    version: 1,
    judgeModel: [...new Set(runs.map(({ provenance }) => provenance.judgeModel ?? 'none'))].join(', '),
    labels: labels.length,
    unused: labels.length - pairs.length,
    confusion,
    agreement: agreed,
    random,
    positive,
    arm,
    passed,
    count: judged.length,
    corrected: correctedOf(agreed, confusion, { passed, count: judged.length }),
    reasons: reasonsOf(agreed, { random, positive }),
  };
}

interface LabelledPair {
  readonly label: Label;
  readonly judge: boolean;
}

/**
 * Scales each side of the table to its share among the random labels. Labels of answers that the judge passed were added on purpose, so they are
 * over-represented.
 */
function reweighted(table: Confusion, pairs: readonly LabelledPair[]): Confusion {
  const random = pairs.filter(({ label }) => label.sample === 'random');
  const passed = table.bothPass + table.onlyJudge;
  const failed = table.onlyHuman + table.bothFail;
  if (random.length === 0 || passed === 0 || failed === 0) return table;
  const share = random.filter(({ judge }) => judge).length / random.length;
  const up = (share * pairs.length) / passed;
  const down = ((1 - share) * pairs.length) / failed;
  return {
    bothPass: table.bothPass * up,
    onlyJudge: table.onlyJudge * up,
    onlyHuman: table.onlyHuman * down,
    bothFail: table.bothFail * down,
  };
}

/** Says whether an answer is fully right; half right is not enough. Returns null without a grade. */
function isPassed(cell: Cell): boolean | null {
  const score = answerScore(cell);
  return score === null ? null : score === 1;
}

function correctedOf(
  agreed: Agreement | null,
  { bothPass, onlyJudge, onlyHuman, bothFail }: Confusion,
  { passed, count }: { readonly passed: number | null; readonly count: number },
): CorrectedShare | null {
  if (agreed === null || passed === null || agreed.sensitivity === null || agreed.specificity === null) return null;
  return correctedShare({
    passed,
    count,
    sensitivity: agreed.sensitivity,
    specificity: agreed.specificity,
    humanPassed: bothPass + onlyHuman,
    humanFailed: onlyJudge + bothFail,
  });
}

function reasonsOf(
  agreed: Agreement | null,
  { random, positive }: { readonly random: number; readonly positive: number },
): readonly string[] {
  if (agreed === null) return ['no label belongs to a graded answer of these runs'];
  const reasons: string[] = [];
  if (random < LEAST_LABELS) reasons.push(`${random} labels of answers picked at random; ${LEAST_LABELS} are needed`);
  if (positive < LEAST_LABELS)
    reasons.push(`${positive} labels of answers that the judge passed; ${LEAST_LABELS} are needed`);
  if (agreed.kappa === null)
    reasons.push('judge and people always said the same one thing, so agreement shows nothing');
  else if (agreed.kappa < LEAST_KAPPA)
    reasons.push(`agreement beyond chance (kappa) is ${agreed.kappa.toFixed(2)}; ${LEAST_KAPPA} is needed`);
  const { sensitivity, specificity } = agreed;
  if (sensitivity === null || specificity === null)
    reasons.push('people passed all or none, so the errors of the judge cannot be told');
  else if (sensitivity + specificity - 1 < LEAST_INFORMATIVE)
    reasons.push('the judge tells right from wrong hardly better than chance, so its score cannot be corrected');
  return reasons;
}
