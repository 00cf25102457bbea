import { o200k } from '../../../src/models/o200k.ts';
import { isPdf, isPng, pictureTokens } from '../pictures.ts';
import type { Wire } from '../said.ts';

/** Tokens around every message, item or content. */
const PER_MESSAGE = 4;
/** Tokens around every block or part. */
const PER_BLOCK = 2;
/** Bytes of a PDF per token. */
const PDF_BYTES = 5;
/** Characters of encrypted content per token of the text it stands for. */
const ENCRYPTED_CHARACTERS = 4;

const LISTS = ['messages', 'contents', 'input'] as const;
/** Names that the provider renders into its own marks. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'type',
  'role',
  'signature',
  'thoughtSignature',
  'media_type',
  'mimeType',
  'mediaType',
  'status',
  'detail',
  'cache_control',
]);
const ENCRYPTED: ReadonlySet<string> = new Set(['encrypted_content', 'encrypted_index', 'reasoningEncryptedContent']);
/** Arguments and answers that the provider shows to the model as JSON. */
const AS_JSON: ReadonlySet<string> = new Set(['args', 'response', 'action', 'operation']);

/** The size of a request as the server counts it, without the reserved output. */
export interface RequestSize {
  readonly system: number;
  readonly tools: number;
  readonly messages: number;
  readonly output: number;
  /** All of it: what the window must hold. */
  readonly total: number;
}

/** Counts requests, every message object once. */
export function createCount(): (request: unknown) => RequestSize {
  const known = new WeakMap<object, number>();
  const once = (value: unknown, count: () => number): number => {
    if (typeof value !== 'object' || value === null) return count();
    const before = known.get(value);
    if (before !== undefined) return before;
    const tokens = count();
    known.set(value, tokens);
    return tokens;
  };
  return (request) => {
    const fields: Wire = Array.isArray(request) ? { messages: request } : (request as Wire);
    const list = LISTS.map((key) => fields[key]).find(Array.isArray) ?? [];
    const system = ['system', 'instructions', 'systemInstruction'].reduce(
      (sum, key) => sum + once(fields[key], () => tokensOf(fields[key], key)),
      0,
    );
    const tools =
      fields['tools'] === undefined ? 0 : once(fields['tools'], () => o200k.count(JSON.stringify(fields['tools'])));
    let messages = 0;
    for (const message of list) messages += once(message, () => PER_MESSAGE + tokensOf(message, ''));
    const output = outputOf(fields);
    return { system, tools, messages, output, total: system + tools + messages + output };
  };
}

/** The tokens that a request reserves for its answer. */
export function outputOf(fields: Wire): number {
  const config = fields['generationConfig'] as Wire | undefined;
  const found = [
    fields['max_tokens'],
    fields['max_output_tokens'],
    fields['max_completion_tokens'],
    fields['maxOutputTokens'],
    config?.['maxOutputTokens'],
  ].find((value) => typeof value === 'number');
  return typeof found === 'number' ? found : 0;
}

/** Tokens of any value that a message holds. */
export function tokensOf(value: unknown, key: string): number {
  if (typeof value === 'string') return textTokens(value, key);
  if (typeof value !== 'object' || value === null) return 0;
  if (AS_JSON.has(key) || (key === 'input' && !Array.isArray(value))) return o200k.count(JSON.stringify(value));
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + PER_BLOCK + tokensOf(item, key), 0);
  return Object.entries(value).reduce(
    (sum, [name, field]) => sum + (UNCOUNTED.has(name) ? 0 : tokensOf(field, name)),
    0,
  );
}

function textTokens(value: string, key: string): number {
  if (ENCRYPTED.has(key)) return Math.ceil(value.length / ENCRYPTED_CHARACTERS);
  const base64 = value.startsWith('data:') ? value.slice(value.indexOf(',') + 1) : value;
  if (isPng(base64)) return pictureTokens(base64);
  if (isPdf(base64)) return Math.ceil((base64.length * 3) / 4 / PDF_BYTES);
  return o200k.count(value);
}
