/** `precis/models`: what is known of models, and the sizes that follow from it. Loads no tokenizer. */
export { type Limits, type LimitsInput, limitsFor, type ModelWindow, reservedOutputOf } from '../core/tokens/window.ts';
export type { CacheRule } from './cache-rule.ts';
export { type CatalogModel, catalog, findModel, type ResolvedModel, resolveModel } from './catalog.ts';
export { CATALOG_DATE } from './catalog-data.ts';
export type { Prices, PriceTier } from './catalog-row.ts';
export { pricesFor } from './price.ts';
