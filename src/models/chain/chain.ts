import { PrecisError } from '../../core/errors.ts';
import type { Model, ModelRequest, Summarizer } from '../../core/model.ts';
import { askAll } from './ask.ts';
import { type CandidateState, type ChainState, NO_STATE, readChainState } from './cooldown.ts';
import { type ChainOptions, type ChainResult, withDefaults } from './options.ts';

/** Models in order of preference that answer as one. */
export interface ModelChain extends Summarizer {
  /** Asks the candidates in order until one answers. Never throws. */
  generate(request: ModelRequest): Promise<ChainResult>;
  /** The cooldowns as plain JSON, for `restore`. */
  state(): ChainState;
  /** Restores the cooldowns of an earlier run. Ignores a state it cannot read. */
  restore(state: unknown): void;
  /** Ends all cooldowns, e.g. when a person asks again or settings changed. */
  clear(): void;
}

/** Makes a chain of models in order of preference. Throws a `PrecisError` when `models` is empty. */
export function createChain(models: readonly Model[], options: ChainOptions = {}): ModelChain {
  const [first, ...others] = models;
  if (first === undefined)
    throw new PrecisError('bad-option', 'Expected `models` to name at least one model, got none');
  const cooldowns = new Map<string, CandidateState>();
  const settings = withDefaults(options);
  const restore = (state: unknown): void => {
    cooldowns.clear();
    for (const [id, kept] of Object.entries(readChainState(state).candidates)) cooldowns.set(id, kept);
  };
  restore(options.state ?? NO_STATE);
  return {
    models,
    generate: (request) => askAll({ models: [first, ...others], cooldowns, settings }, request),
    state: () => ({ version: 1, candidates: Object.fromEntries(cooldowns) }),
    restore,
    clear: () => cooldowns.clear(),
  };
}

/** A chain that can be used as a single model. Its window is the smallest, because any candidate may have to answer. */
export function modelChain(
  models: readonly Model[],
  options: ChainOptions = {},
): Model & { readonly chain: ModelChain } {
  const chain = createChain(models, options);
  const outputs = models.flatMap(({ maxOutput }) => (maxOutput === null ? [] : [maxOutput]));
  return {
    id: models.map(({ id }) => id).join(','),
    contextWindow: Math.min(...models.map(({ contextWindow }) => contextWindow)),
    maxOutput: outputs.length === 0 ? null : Math.min(...outputs),
    prices: models[0]?.prices ?? null,
    generate: async (request) => (await chain.generate(request)).outcome,
    chain,
  };
}
