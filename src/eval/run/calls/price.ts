import type { ModelPrices, ModelUsage } from '../../../core/model.ts';

/** Price of a call, in US dollars; null when a price or a count is missing. */
export function priceOf({ inputTokens, outputTokens }: ModelUsage, prices: ModelPrices | null): number | null {
  if (prices === null || inputTokens === null || outputTokens === null) return null;
  return (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}

/** The sum of two amounts; unknown when one of them is. */
export function addUsd(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** Other tokenizers make more of the same text. */
export const TOKEN_MARGIN = 1.35;
