import { PrecisError } from '../../core/errors.ts';
import type { Model, ModelCall, Summarizer } from '../../core/model.ts';
import type { Environment } from '../../models/providers.ts';
import type { FoundConfig } from './config.ts';

export interface ModelFlags {
  readonly model?: string;
  readonly fallback?: string;
}

export interface FoundSummarizer {
  readonly summarizer: Summarizer;
  /** What a person should know of the models, e.g. that a window had to be assumed. */
  readonly warnings: readonly string[];
}

/** The models that flags or configuration name, as one summariser; null when none is named, which is fine. */
export async function summarizerFrom(
  flags: ModelFlags,
  found: FoundConfig | null,
  env: Environment,
): Promise<FoundSummarizer | null> {
  const first = flags.model ?? found?.config.model;
  if (first === undefined) {
    if (flags.fallback !== undefined)
      throw new PrecisError('bad-option', '`--fallback` names models to ask when `--model` fails; name that one too');
    return null;
  }
  const others = flags.fallback?.split(',').map((name) => name.trim()) ?? found?.config.fallbacks ?? [];
  const [{ namedModel }, { createChain }, { environmentWith }] = await Promise.all([
    import('../../models/named.ts'),
    import('../../models/chain/chain.ts'),
    import('./config.ts'),
  ]);
  const warnings: string[] = [];
  const models = [first, ...others].map((name): Model => {
    const named = namedModel(name, { env: environmentWith(found, env) });
    if (named.type === 'unavailable') throw new PrecisError('bad-option', `${name}: ${named.message}`);
    if (named.warning !== null) warnings.push(named.warning);
    return named.model;
  });
  return { summarizer: createChain(models), warnings };
}

/** What calls cost, in US dollars; null when a price or a count is missing. */
export function costOf(calls: readonly ModelCall[], models: readonly Model[]): number | null {
  let dollars = 0;
  for (const call of calls) {
    const prices = models.find((model) => model.id === call.model)?.prices ?? null;
    if (prices === null || call.inputTokens === null || call.outputTokens === null) return null;
    dollars += (call.inputTokens * prices.input + call.outputTokens * prices.output) / 1_000_000;
  }
  return dollars;
}

/** What one reading of so many tokens costs, before it is done; null when the price is not known. Retries and further parts come on top. */
export function estimateOf(tokens: number, { models: [model] }: Summarizer): number | null {
  if (model?.prices == null) return null;
  const answer = Math.min(10_000, tokens / 5);
  return (Math.min(tokens, model.contextWindow) * model.prices.input + answer * model.prices.output) / 1_000_000;
}
