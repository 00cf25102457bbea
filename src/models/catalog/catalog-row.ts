/** Prices in US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Input that was read from the cache; null when it costs what other input costs. */
  readonly cacheRead: number | null;
  /** Input that is written to the cache; null when it costs what other input costs. */
  readonly cacheWrite: number | null;
}

/** Prices of a whole request whose input is longer than a line. */
export interface PriceTier extends Prices {
  readonly inputTokensAbove: number;
}

/** One line of the generated data: `[provider, id, name, window, output, prices, tiers]`. */
export type CatalogRow = readonly [
  provider: string,
  id: string,
  name: string,
  contextWindow: number,
  maxOutput: number | null,
  /** Input, output, cache read, cache write; null when the model has no price per token. */
  prices: PriceRow | null,
  tiers?: readonly (readonly [inputTokensAbove: number, prices: PriceRow])[],
];

export type PriceRow = readonly [input: number, output: number, cacheRead: number | null, cacheWrite: number | null];
