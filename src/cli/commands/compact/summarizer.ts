import { PrecisError } from '../../../core/errors.ts';
import type { Model, ModelCall, Summarizer } from '../../../core/model.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';
import type { Environment } from '../../../models/providers.ts';
import { environmentWith, type FoundConfig } from '../../config/config.ts';
import { whole } from '../../screen/paint.ts';
import type { CompactFlags } from './flags.ts';
import type { CompactJob } from './job.ts';

export interface ChosenSummarizer {
  readonly summarizer: Summarizer;
  /** Sentences for people, e.g. that a window was assumed. */
  readonly warnings: readonly string[];
}

/** The models that flags or configuration name, as one summariser; null when they name none. */
export async function summarizerFrom(
  flags: CompactFlags,
  found: FoundConfig | null,
  env: Environment,
): Promise<ChosenSummarizer | null> {
  const first = flags.model ?? found?.config.model;
  if (first === undefined) {
    if (flags.fallback !== undefined)
      throw new PrecisError('bad-option', '`--fallback` names models to ask when `--model` fails; name that one too');
    return null;
  }
  const others = flags.fallback?.split(',').map((name) => name.trim()) ?? found?.config.fallbacks ?? [];
  const [{ namedModel }, { createChain }] = await Promise.all([
    import('../../../models/named.ts'),
    import('../../../models/chain/chain.ts'),
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

/** Names the models that will read the session, and the approximate cost. */
export function announceSummary({ document, counter, flags, progress }: CompactJob, { models }: Summarizer): void {
  const tokens = createMeasure(counter).conversation(document.conversation);
  const dollars = estimatedCost(tokens, models);
  const price = dollars === null ? 'at an unknown price' : `for about $${dollars.toFixed(4)} per pass`;
  const names = models.map(({ id }) => id).join(', then ');
  progress.log(`${names} will read up to ${whole(tokens)} tokens ${price}`);
  if (flags.out === undefined) progress.log('you pay for the summary but do not keep it: add `--out FILE`');
}

/** The cost of reading the tokens once, in US dollars; null when the price is unknown. Retries and further parts cost extra. */
function estimatedCost(tokens: number, [model]: readonly Model[]): number | null {
  if (model?.prices == null) return null;
  const answer = Math.min(10_000, tokens / 5);
  return (Math.min(tokens, model.contextWindow) * model.prices.input + answer * model.prices.output) / 1_000_000;
}

/** The cost of these calls, in US dollars; null when a price or a count is missing. */
export function costOf(calls: readonly ModelCall[], { models }: Summarizer): number | null {
  let dollars = 0;
  for (const call of calls) {
    const prices = models.find((model) => model.id === call.model)?.prices ?? null;
    if (prices === null || call.inputTokens === null || call.outputTokens === null) return null;
    dollars += (call.inputTokens * prices.input + call.outputTokens * prices.output) / 1_000_000;
  }
  return dollars;
}
