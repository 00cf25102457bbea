import { type Bill, billOf } from '../cache/bill.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { RecordedUsage } from '../trace/trace.ts';

/** The tokens of one prompt, split by price: read, written and uncached. */
type PromptTokens = Pick<Bill, 'read' | 'write' | 'uncached'>;

/** The predicted and the recorded usage of one request. */
export interface UsagePair {
  readonly predicted: PromptTokens;
  readonly recorded: RecordedUsage;
}

/** The error in predictions of one quantity, over many requests. */
export interface PredictionError {
  /** Sum of the absolute differences divided by the recorded sum; null when something was predicted and nothing recorded. */
  readonly wape: number | null;
  /** The same with signs: positive when predictions are too high. */
  readonly bias: number | null;
}

/** Errors in the tokens and the price of prompts. */
export interface UsageError {
  /** Requests that were compared. */
  readonly requests: number;
  /** Size of the prompts. */
  readonly prompt: PredictionError;
  /** Tokens read from the cache. */
  readonly read: PredictionError;
  /** Tokens written to the cache. */
  readonly write: PredictionError;
  /** Tokens at the full price. */
  readonly uncached: PredictionError;
  /** Price of the prompts. */
  readonly cost: PredictionError;
  /** False when the log has no writes although they cost extra. Then all tokens that were not read are compared as written. */
  readonly reportsWrites: boolean;
}

/** Compares predictions with recorded usage, request by request. */
export function usageErrorOf(rules: CacheRules, pairs: readonly UsagePair[]): UsageError {
  const both = alike(rules, pairs);
  const over = (amount: (tokens: PromptTokens) => number): PredictionError =>
    errorOf(both.map(([predicted, recorded]) => [amount(predicted), amount(recorded)]));
  return {
    requests: pairs.length,
    prompt: over(({ read, write, uncached }) => read + write + uncached),
    read: over(({ read }) => read),
    write: over(({ write }) => write),
    uncached: over(({ uncached }) => uncached),
    cost: over((tokens) => costOf(rules, tokens)),
    reportsWrites: hasWrites(rules, pairs),
  };
}

/** Computes the error in the price of whole sessions, on which claims about money rest. Errors may cancel out within a session, but not between sessions. */
export function sessionCostErrorOf(rules: CacheRules, sessions: readonly (readonly UsagePair[])[]): PredictionError {
  return errorOf(
    sessions.map((pairs) => {
      const both = alike(rules, pairs);
      const sum = (side: 0 | 1): number => both.reduce((total, pair) => total + costOf(rules, pair[side]), 0);
      return [sum(0), sum(1)];
    }),
  );
}

function costOf(rules: CacheRules, tokens: PromptTokens): number {
  return billOf(rules, { ...tokens, output: 0 }).usd;
}

function hasWrites(rules: CacheRules, pairs: readonly UsagePair[]): boolean {
  return rules.write === 1 || pairs.some(({ recorded }) => recorded.cacheWriteTokens > 0);
}

/** Brings both sides to the same terms. Where writing costs nothing extra, or the log does not report it, neither side counts writes. */
function alike(
  rules: CacheRules,
  pairs: readonly UsagePair[],
): readonly (readonly [predicted: PromptTokens, recorded: PromptTokens])[] {
  const isTold = hasWrites(rules, pairs);
  const put = ({ read, write, uncached }: PromptTokens): PromptTokens => {
    if (rules.write === 1) return { read, write: 0, uncached: write + uncached };
    return isTold ? { read, write, uncached } : { read, write: write + uncached, uncached: 0 };
  };
  return pairs.map(({ predicted, recorded: { inputTokens, cachedInputTokens: read, cacheWriteTokens: write } }) => [
    put(predicted),
    put({ read, write, uncached: Math.max(0, inputTokens - read - write) }),
  ]);
}

function errorOf(pairs: readonly (readonly [predicted: number, recorded: number])[]): PredictionError {
  let [off, signed, recordedSum] = [0, 0, 0];
  for (const [predicted, recorded] of pairs) {
    off += Math.abs(predicted - recorded);
    signed += predicted - recorded;
    recordedSum += recorded;
  }
  if (recordedSum === 0) return off === 0 ? { wape: 0, bias: 0 } : { wape: null, bias: null };
  return { wape: off / recordedSum, bias: signed / recordedSum };
}
