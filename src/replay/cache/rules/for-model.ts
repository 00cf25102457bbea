import { rulesById } from './by-id.ts';
import type { CacheRules } from './cache-rules.ts';
import { cacheRules } from './data.ts';

/** List prices of one model in US dollars per million tokens. The models of the `precis/models` catalogue have them as `prices`. */
export interface ListPrices {
  /** Uncached input. */
  readonly input: number;
  /** Output. */
  readonly output: number;
  /** Input read from the cache; null keeps the multiple of the rules. */
  readonly cacheRead: number | null;
  /** Input written to the cache; null keeps the multiple of the rules. */
  readonly cacheWrite: number | null;
}

/** Prices that apply to a whole request when its input exceeds a limit. */
export interface ListPriceTier extends ListPrices {
  /** Input tokens above which these prices apply. */
  readonly inputTokensAbove: number;
}

/** A model's provider and id, e.g. `anthropic` and `claude-sonnet-5`. */
export interface ModelName {
  /** Id of the provider. */
  readonly provider: string;
  /** Id of the model at the provider. */
  readonly id: string;
}

/** Cache rules found for a model. */
export interface ModelRules {
  /** The rules, at the model's own prices when you passed them. */
  readonly rules: CacheRules;
  /** True when the model is unknown. The rules are then those of the provider's nearest class, or rules without a cache. */
  readonly isNearest: boolean;
}

interface Row {
  readonly provider: string;
  readonly pattern: RegExp;
  readonly id: string;
}

/** Patterns of models and their rules. The first match counts. */
const ROWS: readonly Row[] = [
  { provider: 'anthropic', pattern: /^claude-opus-4-[56]\b|^claude-haiku-4-5/, id: 'anthropic-opus-4.5-5m' },
  { provider: 'anthropic', pattern: /^claude-opus-4-7/, id: 'anthropic-opus-4.7-5m' },
  { provider: 'anthropic', pattern: /^claude-opus-5-5/, id: 'anthropic-opus-5.5-5m' },
  { provider: 'anthropic', pattern: /^claude-(?:fable|mythos)-5-1/, id: 'anthropic-fable-5.1-5m' },
  { provider: 'anthropic', pattern: /^claude-sonnet-5-5/, id: 'anthropic-sonnet-5.5-5m' },
  { provider: 'anthropic', pattern: /^claude-haiku-5-5/, id: 'anthropic-haiku-5.5-5m' },
  { provider: 'anthropic', pattern: /^claude-(?:opus|fable|mythos)-5/, id: 'anthropic-opus-5-5m' },
  { provider: 'anthropic', pattern: /^claude-(?:sonnet-(?:4-[56]|5)|opus-4)/, id: 'anthropic-5m' },
  { provider: 'openai', pattern: /^gpt-6\.1/, id: 'openai-6.1' },
  { provider: 'openai', pattern: /^gpt-6/, id: 'openai-6' },
  { provider: 'openai', pattern: /^gpt-5\.6/, id: 'openai-5.6' },
  { provider: 'openai', pattern: /^gpt-5\.[45]/, id: 'openai-5.5' },
  { provider: 'openai', pattern: /^gpt-5(?:$|-|\.[0-3])/, id: 'openai-5' },
  { provider: 'openai', pattern: /^gpt-4\.1|^o3|^o4-mini/, id: 'openai-4.1' },
  { provider: 'openai', pattern: /^gpt-4o/, id: 'openai-4o' },
  { provider: 'google', pattern: /^gemini-2\.5/, id: 'gemini-2.5' },
  { provider: 'google', pattern: /^gemini-[34]/, id: 'gemini-3' },
  { provider: 'deepseek', pattern: /pro/, id: 'deepseek-v4-pro' },
  { provider: 'deepseek', pattern: /flash/, id: 'deepseek-flash' },
  { provider: 'mistral', pattern: /./, id: 'mistral' },
  { provider: 'xai', pattern: /^grok-4/, id: 'xai-4' },
];

/** Rules for unknown models of a known provider. */
const NEAREST: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-5m',
  openai: 'openai-5.6',
  google: 'gemini-3',
  deepseek: 'deepseek-flash',
  mistral: 'mistral',
  xai: 'xai-4',
};

/** Returns the cache rules for a model, at its own prices when you pass them. A model of the `precis/models` catalogue has both. */
export function rulesForModel(
  model: ModelName,
  prices?: { readonly prices: ListPrices | null; readonly tiers?: readonly ListPriceTier[] },
): ModelRules {
  const row = ROWS.find(({ provider, pattern }) => provider === model.provider && pattern.test(model.id));
  const rules = rulesById(row?.id ?? NEAREST[model.provider] ?? 'none');
  const own = prices?.prices ?? null;
  const isNearest = row === undefined;
  return { rules: own === null ? rules : withPrices(rules, own, prices?.tiers ?? []), isNearest };
}

/**
 * Returns the same rules at other prices. Where the list has no price for writing, the multiple of the rules stays, so Anthropic's longer
 * lifetime keeps its higher price.
 */
export function withPrices(rules: CacheRules, prices: ListPrices, tiers: readonly ListPriceTier[] = []): CacheRules {
  if (prices.input <= 0) return rules;
  const isHour = rules.id.endsWith('-1h');
  return {
    ...rules,
    usdPerMillionInput: prices.input,
    output: round(prices.output / prices.input),
    read: prices.cacheRead === null ? rules.read : round(prices.cacheRead / prices.input),
    write: prices.cacheWrite === null || isHour ? rules.write : round(prices.cacheWrite / prices.input),
    tiers: tiers.map((tier) => ({
      aboveTokens: tier.inputTokensAbove,
      input: round(tier.input / prices.input),
      output: prices.output === 0 ? 1 : round(tier.output / prices.output),
    })),
  };
}

/**
 * Returns the rules that applied to a log with a hit after `gapMs`. A hit after a longer pause than the rules allow shows that the client asked
 * for the provider's longer lifetime.
 */
export function rulesForGap(rules: CacheRules, gapMs: number): CacheRules {
  if (rules.ttlMs === null || gapMs <= rules.ttlMs) return rules;
  return cacheRules.find(({ id }) => id === rules.id.replace(/-5m$/, '-1h')) ?? rules;
}

/** Rounds a quotient of prices, because prices have few digits. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
