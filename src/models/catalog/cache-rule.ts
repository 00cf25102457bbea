/** How long a provider caches a prompt prefix, and how long the prefix must be. */
export interface CacheRule {
  /** Seconds after its last use when a prefix expires. */
  readonly ttlSeconds: number;
  /** Seconds of the longer lifetime that a request can ask for; null when there is none. */
  readonly longTtlSeconds: number | null;
  /** Tokens a prefix needs to be cached at all. */
  readonly minimumTokens: number;
}

interface Entry extends CacheRule {
  readonly provider: string;
  /** Applies to ids that begin with this. */
  readonly prefix: string;
}

/**
 * The first match counts; as of 2026-11-15. Documented: the lifetimes of Anthropic and OpenAI, and the minimums of OpenAI, Gemini and Anthropic up to
 * version 5. Assumed: the minimums of Anthropic's 5.5 models (like their predecessors), the minimum of DeepSeek, and five minutes for every provider
 * that promises no lifetime (Gemini, Mistral, xAI and others).
 */
const ENTRIES: readonly Entry[] = [
  anthropic('claude-opus-4-5', 4_096),
  anthropic('claude-opus-4-6', 4_096),
  anthropic('claude-opus-4-7', 2_048),
  anthropic('claude-haiku-4-5', 4_096),
  anthropic('claude-opus-5', 512),
  anthropic('claude-fable', 512),
  anthropic('', 1_024),
  { provider: 'openai', prefix: 'gpt-5.6', ttlSeconds: 1_800, longTtlSeconds: null, minimumTokens: 1_024 },
  { provider: 'openai', prefix: 'gpt-6', ttlSeconds: 1_800, longTtlSeconds: null, minimumTokens: 1_024 },
  { provider: 'openai', prefix: '', ttlSeconds: 300, longTtlSeconds: 86_400, minimumTokens: 1_024 },
  { provider: 'google', prefix: 'gemini-2.5', ttlSeconds: 300, longTtlSeconds: null, minimumTokens: 2_048 },
  { provider: 'google', prefix: '', ttlSeconds: 300, longTtlSeconds: null, minimumTokens: 4_096 },
  // Kept on disk, reportedly for "hours to days": this is the lower end. The minimum is a guess.
  { provider: 'deepseek', prefix: '', ttlSeconds: 3_600, longTtlSeconds: null, minimumTokens: 64 },
];

/** A guess for every other provider. */
const OTHERS: CacheRule = { ttlSeconds: 300, longTtlSeconds: null, minimumTokens: 1_024 };

/** Returns the rule for a model that has a price for cached input. */
export function cacheRuleOf(provider: string, id: string): CacheRule {
  const entry = ENTRIES.find((candidate) => candidate.provider === provider && id.startsWith(candidate.prefix));
  if (entry === undefined) return OTHERS;
  const { ttlSeconds, longTtlSeconds, minimumTokens } = entry;
  return { ttlSeconds, longTtlSeconds, minimumTokens };
}

function anthropic(prefix: string, minimumTokens: number): Entry {
  return { provider: 'anthropic', prefix, ttlSeconds: 300, longTtlSeconds: 3_600, minimumTokens };
}
