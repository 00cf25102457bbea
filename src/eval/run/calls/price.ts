import type { ModelPrices, ModelUsage } from '../../../core/model.ts';

/** Returns the price of a call in US dollars; null when a price or a count is missing. */
export function priceOf({ inputTokens, outputTokens }: ModelUsage, prices: ModelPrices | null): number | null {
  if (prices === null || inputTokens === null || outputTokens === null) return null;
  return (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}

/** Adds two amounts; null when one of them is unknown. */
export function addUsd(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** Other tokenizers may count this many times our tokens for the same text. */
export const TOKEN_MARGIN = 1.35;
