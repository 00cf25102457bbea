/** Counts of answers by the verdicts of a judge and of people. */
export interface Confusion {
  /** Answers that both passed. */
  readonly bothPass: number;
  /** Answers that only the judge passed. */
  readonly onlyJudge: number;
  /** Answers that only people passed. */
  readonly onlyHuman: number;
  /** Answers that both failed. */
  readonly bothFail: number;
}

/** How well a judge and people agree. */
export interface Agreement {
  /** Answers that both rated. */
  readonly count: number;
  /** Share of equal verdicts. It is too optimistic: two raters that nearly always say yes agree by chance. */
  readonly exact: number;
  /** Cohen's kappa: agreement beyond chance; null when both raters always give the same verdict. */
  readonly kappa: number | null;
  /** Gwet's AC1: agreement beyond chance that stays meaningful when nearly all answers pass. */
  readonly ac1: number;
  /** Share of the answers passed by people that the judge passes too; null when people passed none. */
  readonly sensitivity: number | null;
  /** Share of the answers failed by people that the judge fails too; null when people failed none. */
  readonly specificity: number | null;
}

/** Computes how well a judge and people agree, with and without agreement by chance. */
export function agreement({ bothPass, onlyJudge, onlyHuman, bothFail }: Confusion): Agreement {
  const count = bothPass + onlyJudge + onlyHuman + bothFail;
  const exact = (bothPass + bothFail) / count;
  const judge = (bothPass + onlyJudge) / count;
  const human = (bothPass + onlyHuman) / count;
  const byChance = judge * human + (1 - judge) * (1 - human);
  const pass = (judge + human) / 2;
  const gwetChance = 2 * pass * (1 - pass);
  return {
    count,
    exact,
    kappa: byChance === 1 ? null : (exact - byChance) / (1 - byChance),
    ac1: (exact - gwetChance) / (1 - gwetChance),
    sensitivity: share(bothPass, onlyHuman),
    specificity: share(bothFail, onlyJudge),
  };
}

function share(hits: number, misses: number): number | null {
  return hits + misses === 0 ? null : hits / (hits + misses);
}

/** A share of passed answers, corrected to what people would pass. */
export interface CorrectedShare {
  /** From 0 to 1. */
  readonly score: number;
  /** Its standard error. */
  readonly error: number;
}

/** The verdicts of a judge, and how reliable it is. */
export interface RoganGladen {
  /** Share that the judge passed, from 0 to 1. */
  readonly passed: number;
  /** Answers that it graded. */
  readonly count: number;
  /** Share of the answers passed by people that the judge passes too. */
  readonly sensitivity: number;
  /** Share of the answers failed by people that the judge fails too. */
  readonly specificity: number;
  /** Number of labels behind `sensitivity`: answers that people passed. */
  readonly humanPassed: number;
  /** Number of labels behind `specificity`: answers that people failed. */
  readonly humanFailed: number;
}

/** Below this, a judge is so unreliable that a correction multiplies noise. */
export const LEAST_INFORMATIVE = 0.3;

/** Estimates the share that people would pass from the share that the judge passed (Rogan and Gladen). Null for a judge that is too unreliable. */
export function correctedShare(input: RoganGladen): CorrectedShare | null {
  const { passed, count, sensitivity, specificity, humanPassed, humanFailed } = input;
  const informative = sensitivity + specificity - 1;
  if (informative < LEAST_INFORMATIVE || count === 0 || humanPassed === 0 || humanFailed === 0) return null;
  const raw = (passed + specificity - 1) / informative;
  const score = Math.min(1, Math.max(0, raw));
  const spread =
    (passed * (1 - passed)) / count +
    ((1 - score) ** 2 * specificity * (1 - specificity)) / humanFailed +
    (score ** 2 * sensitivity * (1 - sensitivity)) / humanPassed;
  return { score, error: Math.sqrt(spread) / informative };
}
