/** How two raters that say yes or no fell. */
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

/** How far a judge and people agree. */
export interface Agreement {
  /** Answers that both saw. */
  readonly count: number;
  /** Share of the same verdicts. It flatters: two raters that nearly always say yes agree by chance. */
  readonly exact: number;
  /** Cohen's kappa: agreement beyond chance; null when one of the two always says the same and the other too. */
  readonly kappa: number | null;
  /** Gwet's AC1: the same with a chance that does not collapse when nearly all pass. */
  readonly ac1: number;
  /** Share of what people pass that the judge passes; null when people passed nothing. */
  readonly sensitivity: number | null;
  /** Share of what people fail that the judge fails; null when people failed nothing. */
  readonly specificity: number | null;
}

/** How far a judge and people agree, by chance and beyond it. */
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

/** A share as people would see it. */
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
  /** Share of what people pass that the judge passes. */
  readonly sensitivity: number;
  /** Share of what people fail that the judge fails. */
  readonly specificity: number;
  /** Labels that people passed, which `sensitivity` rests on. */
  readonly humanPassed: number;
  /** Labels that people failed, which `specificity` rests on. */
  readonly humanFailed: number;
}

/** Below this a judge tells so little that correcting it multiplies noise. */
export const LEAST_INFORMATIVE = 0.3;

/** The share that people would pass, from what the judge passed (Rogan and Gladen); null for a judge that tells too little. */
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
