import type { ModelPrices, ModelUsage } from '../../../core/model.ts';

/** What a call cost, in US dollars; null when a price or a count is missing. */
export function priceOf({ inputTokens, outputTokens }: ModelUsage, prices: ModelPrices | null): number | null {
  if (prices === null || inputTokens === null || outputTokens === null) return null;
  return (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}

/** Money for the whole evaluation. Every call reserves what it may cost before it is made. */
export interface Budget {
  /** US dollars; null without a cap. */
  readonly limit: number | null;
  readonly spent: number;
  /** True once a call was turned away. */
  readonly isExhausted: boolean;
  /** Waits while calls under way may leave room; false when there is none. */
  reserve(usd: number): Promise<boolean>;
  /** Ends a reservation with what the call really cost. */
  settle(reserved: number, actual: number): void;
}

export function createBudget(limit: number | null, alreadySpent = 0): Budget {
  let spent = alreadySpent;
  let reserved = 0;
  let isExhausted = false;
  let waiting: (() => void)[] = [];
  return {
    limit,
    get spent() {
      return spent;
    },
    get isExhausted() {
      return isExhausted;
    },
    async reserve(usd) {
      for (;;) {
        if (isExhausted) return false;
        if (limit === null || spent + reserved + usd <= limit) {
          reserved += usd;
          return true;
        }
        // Nothing under way could leave room. From now on nothing is asked, so that what is missing is missing in one piece.
        if (reserved <= 0) {
          isExhausted = true;
          for (const wake of waiting) wake();
          return false;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    settle(amount, actual) {
      reserved = Math.max(0, reserved - amount);
      if (reserved < 1e-12) reserved = 0;
      spent += actual;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

/** Other tokenizers make more of the same text. */
export const TOKEN_MARGIN = 1.35;
/** Tokens of an answer and of a verdict: the usual, and what is reserved for one that thinks aloud. */
export const USUAL_OUTPUT = { compress: 3_000, answer: 150, judge: 250 } as const;
export const MOST_OUTPUT = { compress: 10_000, answer: 1_500, judge: 1_500 } as const;

export interface EstimatedCalls {
  readonly role: keyof typeof USUAL_OUTPUT;
  readonly calls: number;
  readonly inputTokens: number;
  readonly prices: ModelPrices | null;
}

export interface Estimate {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when a price is unknown. */
  readonly low: number | null;
  readonly high: number | null;
}

/** What a whole evaluation may cost, before it starts. */
export function estimateOf(parts: readonly EstimatedCalls[]): Estimate {
  let [calls, inputTokens, outputTokens] = [0, 0, 0];
  let low: number | null = 0;
  let high: number | null = 0;
  for (const part of parts) {
    if (part.calls === 0) continue;
    const output = part.calls * USUAL_OUTPUT[part.role];
    calls += part.calls;
    inputTokens += part.inputTokens;
    outputTokens += output;
    const usual = priceOf(
      { inputTokens: part.inputTokens, outputTokens: output, cachedInputTokens: null },
      part.prices,
    );
    low = usual === null || low === null ? null : low + usual;
    high = usual === null || high === null ? null : high + usual * TOKEN_MARGIN;
  }
  return { calls, inputTokens, outputTokens, low, high };
}
