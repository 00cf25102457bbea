/** Arguments of a recall tool call. */
export interface RecallArguments {
  /** A question in plain words, a ref such as `r:3f9a12c4d5e6f`, or a message number such as `#12`. */
  readonly query: string;
  /** Where to continue in a long original, in characters. @default 0 */
  readonly offset?: number;
}

/** JSON schema of the arguments. */
export interface RecallSchema {
  readonly type: 'object';
  readonly properties: {
    readonly query: { readonly type: 'string'; readonly description: string };
    readonly offset: { readonly type: 'integer'; readonly minimum: 0; readonly description: string };
  };
  readonly required: string[];
  readonly additionalProperties: false;
}

export const RECALL_SCHEMA: RecallSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'A question in plain words, a ref (r:…), or a message number (#12).' },
    offset: { type: 'integer', minimum: 0, description: 'Where to go on in a long original, as the last answer said.' },
  },
  required: ['query'],
  additionalProperties: false,
};

/** Reads the arguments that a model wrote, which may be JSON text or the bare query. Returns null when there is no query. */
export function readRecallArguments(input: unknown): RecallArguments | null {
  const value = typeof input === 'string' ? parsedOrText(input) : input;
  if (typeof value === 'string') return { query: value };
  if (typeof value !== 'object' || value === null) return null;
  const { query, offset } = value as { readonly query?: unknown; readonly offset?: unknown };
  if (typeof query !== 'string' || query.trim() === '') return null;
  return typeof offset === 'number' && offset > 0 ? { query, offset: Math.floor(offset) } : { query };
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
