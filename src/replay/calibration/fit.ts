import type { CacheRules } from '../cache/rules/cache-rules.ts';
import { predictAll } from './predict.ts';
import type { CalibrationSession } from './session.ts';
import { usageErrorOf } from './usage-error.ts';

/** The three rules that are fitted, because no provider documents them exactly. */
export interface RulesFit {
  /** Probability that an existing entry is found, from 0 to 1. */
  readonly hitProbability: number;
  /** Lifetime of an entry in milliseconds; null when it never expires. */
  readonly ttlMs: number | null;
  /** Tokens per matching step. */
  readonly granularity: number;
}

const MINUTE = 60_000;
/** Lifetimes to try: those that providers document or users report, in minutes. */
const LIFETIMES: readonly (number | null)[] = [1, 3, 5, 10, 15, 30, 60, 360, 1_440].map((minutes) => minutes * MINUTE);
/** Steps to try: exact matches, the block sizes of inference servers, and OpenAI's. */
const STEPS: readonly number[] = [1, 16, 64, 128, 256, 1_024];
/** The error must fall by this much before another value replaces the given one. */
const MIN_GAIN = 0.002;
/** Hits count as certain unless at least this share of the expected reads is missing. */
const MIN_MISSES = 0.02;

/** Fits the lifetime, then the steps, then the hit probability, which accounts for the remaining error. */
export function fitRules(sessions: readonly CalibrationSession[], rules: CacheRules): RulesFit {
  const sure = { ...rules, hitProbability: 1 };
  const ttlMs = bestOf(sessions, [rules.ttlMs, ...LIFETIMES], (value) => ({ ...sure, ttlMs: value }));
  const granularity = bestOf(sessions, [rules.granularity, ...STEPS], (value) => ({
    ...sure,
    ttlMs,
    granularity: value,
  }));
  const { bias } = usageErrorOf(rules, predictAll(sessions, { ...sure, ttlMs, granularity })).read;
  // The sums should agree. Minimizing the absolute error would give 1 whenever more than half are hits.
  const found = bias === null ? 1 : 1 / (1 + bias);
  const hitProbability = found > 1 - MIN_MISSES ? 1 : Math.max(0, Math.round(found * 1000) / 1000);
  return { hitProbability, ttlMs, granularity };
}

/** Returns the value with the smallest error in tokens read. The first value, which is the given one, stays unless another is clearly better. */
function bestOf<Value>(
  sessions: readonly CalibrationSession[],
  values: readonly [Value, ...Value[]],
  rulesWith: (value: Value) => CacheRules,
): Value {
  let [best] = values;
  let lowest = Number.POSITIVE_INFINITY;
  for (const value of new Set(values)) {
    const candidate = rulesWith(value);
    const { wape } = usageErrorOf(candidate, predictAll(sessions, candidate)).read;
    if (wape === null || wape >= lowest - MIN_GAIN) continue;
    best = value;
    lowest = wape;
  }
  return best;
}
