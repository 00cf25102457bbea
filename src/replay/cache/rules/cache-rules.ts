/** How certain a figure is: documented by the provider, reported by others, or assumed. */
export type Mark = 'documented' | 'reported' | 'assumed';

/** Prices and prompt-cache rules of one provider for one class of models. */
export interface CacheRules {
  /** Name of the rules, e.g. `anthropic-5m`. */
  readonly id: string;
  /** Name for people, e.g. `Anthropic, most models`. */
  readonly title: string;
  /** Day on which the figures were taken, e.g. `2026-10-31`. */
  readonly asOf: string;
  /** How certain the figures are, except for the fields in `marks`. */
  readonly mark: Mark;
  /** Fields that are more or less certain than the rest. */
  readonly marks?: Readonly<Record<string, Mark>>;
  /** A caveat for readers: sources that disagree, or a rule that is not modelled. */
  readonly note?: string;
  /** Price of uncached input in US dollars per million tokens. */
  readonly usdPerMillionInput: number;
  /** Price of a token read from the cache, as a multiple of the input price. */
  readonly read: number;
  /** Price of a token written to the cache, as a multiple of the input price. */
  readonly write: number;
  /** Price of an output token, as a multiple of the input price. */
  readonly output: number;
  /** Milliseconds that an entry lives after its last use; null when it never expires. */
  readonly ttlMs: number | null;
  /** True when a hit renews the lifetime of the entry. */
  readonly refreshOnHit: boolean;
  /** Smallest prefix that is cached, in tokens. */
  readonly minTokens: number;
  /** Hits are rounded down to a multiple of this many tokens; 1 for exact matches. */
  readonly granularity: number;
  /** Content blocks that the provider checks backwards from a breakpoint, the breakpoint included; null for all. */
  readonly lookbackBlocks: number | null;
  /** Breakpoints that one request may set; null where the provider caches every prefix automatically. */
  readonly writeBreakpoints: number | null;
  /** Probability that the provider finds an existing entry, from 0 to 1. */
  readonly hitProbability: number;
  /** Requests above `aboveTokens` pay these multiples on all their input and output. */
  readonly tiers: readonly { readonly aboveTokens: number; readonly input: number; readonly output: number }[];
}
