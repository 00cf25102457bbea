/**
 * `precis/models`: what is known of models, the sizes that follow from it, and how models are asked. Loads no tokenizer;
 * the AI SDK and its providers are loaded with the first request.
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
export type { CacheRule } from './cache-rule.ts';
export { type CatalogModel, catalog, findModel, type ResolvedModel, resolveModel } from './catalog.ts';
export { CATALOG_DATE } from './catalog-data.ts';
export type { Prices, PriceTier } from './catalog-row.ts';
export {
  type Attempt,
  type ChainOptions,
  type ChainResult,
  createChain,
  type ModelChain,
  modelChain,
} from './chain.ts';
export type { CandidateState, ChainState } from './cooldown.ts';
export { type FailureOptions, failureOf } from './failure.ts';
export { type NamedModel, type NamedModelOptions, namedModel } from './named.ts';
export { pricesFor } from './price.ts';
export type { Environment } from './providers.ts';
