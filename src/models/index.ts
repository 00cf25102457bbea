/**
 * `precis/models`: the model catalogue, the limits that follow from it, and calls to models. It loads no tokenizer; the AI SDK and its providers are
 * loaded with the first request.
 */

export type {
  FailureKind,
  FinishReason,
  Model,
  ModelCall,
  ModelFailure,
  ModelOutcome,
  ModelPrices,
  ModelRequest,
  ModelUsage,
  Summarizer,
  SummarizerAnswer,
} from '../core/model.ts';
export { type Limits, type LimitsInput, limitsFor, type ModelWindow, reservedOutputOf } from '../core/tokens/window.ts';
export { type Overflow, readOverflow } from '../formats/overflow.ts';
export { fromLanguageModel, type LanguageModelOptions } from './ai-sdk.ts';
export type { CacheRule } from './catalog/cache-rule.ts';
export { type CatalogModel, catalog, findModel, type ResolvedModel, resolveModel } from './catalog/catalog.ts';
export { CATALOG_DATE } from './catalog/catalog-data.ts';
export type { Prices, PriceTier } from './catalog/catalog-row.ts';
export { pricesFor } from './catalog/price.ts';
export { createChain, type ModelChain, modelChain } from './chain/chain.ts';
export type { CandidateState, ChainState } from './chain/cooldown.ts';
export type { Attempt, ChainOptions, ChainResult } from './chain/options.ts';
export { type FailureOptions, failureOf } from './failure/failure.ts';
export { type NamedModel, type NamedModelOptions, namedModel } from './named.ts';
export type { Environment } from './providers.ts';
