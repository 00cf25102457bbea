import type { CacheRules } from './rules/cache-rules.ts';

/**
 * Tokens and price of one request, or of many together. Every prompt token is read from the cache, written to it, or uncached. Where writing
 * costs the same as other input, no token counts as written, because such providers report no writes either.
 */
export interface Bill {
  /** Prompt tokens read from the cache. */
  readonly read: number;
  /** Prompt tokens written to the cache. */
  readonly write: number;
  /** Prompt tokens at the full price. */
  readonly uncached: number;
  /** Tokens of the answer. */
  readonly output: number;
  /** Price in US dollars. */
  readonly usd: number;
}

const MILLION = 1_000_000;

export const NO_BILL: Bill = { read: 0, write: 0, uncached: 0, output: 0, usd: 0 };

interface Multiples {
  readonly input: number;
  readonly output: number;
}

const NO_TIER: Multiples = { input: 1, output: 1 };

/** Returns the multiples that a request of this size pays on all input and output. The highest tier that it exceeds decides. */
export function tierOf(rules: CacheRules, promptTokens: number): Multiples {
  let best = NO_TIER;
  let line = -1;
  for (const tier of rules.tiers) {
    if (promptTokens <= tier.aboveTokens || tier.aboveTokens <= line) continue;
    best = tier;
    line = tier.aboveTokens;
  }
  return best;
}

/** Prices the tokens of one request. */
export function billOf(rules: CacheRules, tokens: Omit<Bill, 'usd'>): Bill {
  const { read, write, uncached, output } = tokens;
  const tier = tierOf(rules, read + write + uncached);
  const input = read * rules.read + write * rules.write + uncached;
  const units = tier.input * input + tier.output * output * rules.output;
  return { read, write, uncached, output, usd: usdOf(rules, units) };
}

export function addBills(first: Bill, second: Bill): Bill {
  return {
    read: first.read + second.read,
    write: first.write + second.write,
    uncached: first.uncached + second.uncached,
    output: first.output + second.output,
    usd: first.usd + second.usd,
  };
}

/** Converts an amount in uncached input tokens, as the closed forms count, to US dollars. */
export function usdOf(rules: CacheRules, units: number): number {
  return (units * rules.usdPerMillionInput) / MILLION;
}
