/** Prices in US dollars per million tokens. */
export interface Prices {
  /** Input that is not cached. */
  readonly input: number;
  /** Output, including reasoning. */
  readonly output: number;
  /** Input read from the cache; null when it costs the same as other input. */
  readonly cacheRead: number | null;
  /** Input written to the cache; null when it costs the same as other input. */
  readonly cacheWrite: number | null;
}

/** Prices of a long request. They apply to the whole request. */
export interface PriceTier extends Prices {
  /** Applies to requests with more input tokens than this, cached ones included. */
  readonly inputTokensAbove: number;
}

/** A row of the generated data: `[provider, id, name, window, output, prices, tiers]`. */
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
