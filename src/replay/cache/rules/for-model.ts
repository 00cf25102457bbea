import type { CacheRules } from '../../types.ts';
import { rulesById } from './rules.ts';

/** Prices of one model in US dollars for a million tokens, as a catalogue lists them. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Null when it costs what other input costs. */
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

export interface PricedTier extends ModelPrices {
  readonly inputTokensAbove: number;
}

export interface ModelRules {
  readonly rules: CacheRules;
  /** True when the model itself is not known and the nearest class of its provider, or no cache, stands in. */
  readonly isNearest: boolean;
}

interface Row {
  readonly provider: string;
  readonly pattern: RegExp;
  readonly id: string;
}

/** First match first. */
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

/** Where a provider is known and its model is not. */
const NEAREST: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-5m',
  openai: 'openai-5.6',
  google: 'gemini-3',
  deepseek: 'deepseek-flash',
  mistral: 'mistral',
  xai: 'xai-4',
};

/** The rules for a model, with its own prices where they are known. */
export function rulesForModel(
  model: { readonly provider: string; readonly id: string },
  prices?: { readonly prices: ModelPrices | null; readonly tiers?: readonly PricedTier[] },
): ModelRules {
  const row = ROWS.find(({ provider, pattern }) => provider === model.provider && pattern.test(model.id));
  const rules = rulesById(row?.id ?? NEAREST[model.provider] ?? 'none');
  const own = prices?.prices ?? null;
  const isNearest = row === undefined;
  return { rules: own === null ? rules : withPrices(rules, own, prices?.tiers ?? []), isNearest };
}

/**
 * The same rules at other prices. A list price that has no price for writing leaves the multiple of the rules, which is
 * how the longer lifetime of Anthropic stays dearer.
 */
export function withPrices(rules: CacheRules, prices: ModelPrices, tiers: readonly PricedTier[] = []): CacheRules {
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

/** Prices have few digits, their quotients should too. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
