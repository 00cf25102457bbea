import type { CatalogModel } from './catalog.ts';
import type { Prices } from './catalog-row.ts';

/** Returns the prices of a request with this many input tokens, cached ones included; null when the model has no price. */
export function pricesFor(model: CatalogModel, inputTokens: number): Prices | null {
  const tier = model.tiers.filter((candidate) => inputTokens > candidate.inputTokensAbove).at(-1);
  return tier ?? model.prices;
}
