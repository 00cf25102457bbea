/** A provider's counts for one request. */
export interface Usage {
  /** All tokens of the prompt, including those read from a cache or written to one. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the `usage` of any provider. Providers disagree on the first number: Anthropic leaves out tokens that came from the cache, the others
 * include them. Null when there is no count of prompt tokens.
 */
export function readUsage(raw: unknown): Usage | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const fields = raw as Fields;
  const write = number(fields, 'cache_creation_input_tokens', 'cacheCreationInputTokens', 'cacheWriteTokens') ?? 0;
  const output =
    number(fields, 'output_tokens', 'completion_tokens', 'outputTokens', 'candidatesTokenCount', 'completionTokens') ??
    total(fields['outputTokens']) ??
    0;
  const apart = number(fields, 'cache_read_input_tokens', 'cacheReadInputTokens');
  const input =
    number(fields, 'input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokenCount', 'promptTokens') ??
    total(fields['inputTokens']);
  if (input === null) return null;
  // `input_tokens` together with a cache count is Anthropic's form, which leaves cached tokens out of the first number.
  if (apart !== null && 'input_tokens' in fields)
    return {
      inputTokens: input + apart + write,
      cachedInputTokens: apart,
      cacheWriteTokens: write,
      outputTokens: output,
    };
  const nested = record(fields, 'prompt_tokens_details', 'input_tokens_details', 'inputTokenDetails', 'inputTokens');
  const cached =
    apart ??
    number(nested, 'cached_tokens', 'cacheReadTokens', 'cacheRead') ??
    number(fields, 'cachedInputTokens', 'cachedContentTokenCount', 'prompt_cache_hit_tokens') ??
    0;
  const written = write === 0 ? (number(nested, 'cacheWriteTokens', 'cacheWrite') ?? 0) : write;
  return { inputTokens: input, cachedInputTokens: cached, cacheWriteTokens: written, outputTokens: output };
}

function number(fields: Fields, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return null;
}

/** At provider level the AI SDK counts in groups: `{ total, cacheRead, … }`. */
function total(value: unknown): number | null {
  return typeof value === 'object' && value !== null ? number(value as Fields, 'total') : null;
}

function record(fields: Fields, ...names: readonly string[]): Fields {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'object' && value !== null) return value as Fields;
  }
  return {};
}
