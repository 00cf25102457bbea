import { isRecord } from '../guards.ts';
import { bytesIn } from '../media/bytes-in.ts';

/**
 * Reads any nested value into lines that people and models can read: titles, addresses, texts, output of programs, exit codes, errors. Encrypted
 * text, base64, ids of the provider and marks of the wire are left out.
 */
export function readableText(value: unknown): string {
  return linesOf(value, '', 0).join('\n');
}

/** Deeper values are of no use to a reader, and a circular one has no end. */
const DEEPEST = 12;

function linesOf(value: unknown, field: string, depth: number): readonly string[] {
  if (value === undefined || value === null || depth > DEEPEST) return [];
  const bytes = bytesIn(value, field);
  if (bytes !== null) {
    if (bytes.isEncrypted) return [];
    const { picture, size } = bytes;
    return [picture === null ? `[${size} bytes]` : `[image ${picture.width}×${picture.height}]`];
  }
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, field, depth + 1));
  if (value instanceof URL) return [value.href];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (isMark(key, item) ? [] : labelled(key, item, depth)));
}

function labelled(key: string, value: unknown, depth: number): readonly string[] {
  const lines = linesOf(value, key, depth + 1);
  if (BARE.has(key) || lines.length === 0 || typeof value === 'object') return lines;
  return [`${key.replaceAll('_', ' ')}: ${lines.join('\n')}`];
}

/** Fields whose value speaks for itself. */
const BARE: ReadonlySet<string> = new Set([
  'text',
  'content',
  'output',
  'stdout',
  'logs',
  'result',
  'results',
  'value',
  'data',
  'title',
  'url',
  'uri',
  'name',
  'source',
  'filename',
  'message',
]);

/** Ids of the provider, types, marks for caches, and a state that says nothing. */
function isMark(key: string, value: unknown): boolean {
  if (MARKS.has(key) || /(^|_)ids?$|[a-z]Ids?$/.test(key)) return true;
  return key === 'status' && (value === 'completed' || value === 'success');
}

const MARKS: ReadonlySet<string> = new Set([
  'type',
  'cache_control',
  'citations',
  'media_type',
  'mediaType',
  'mimeType',
  'mime_type',
  'is_error',
  'score',
  'retrieved_at',
  'providerOptions',
  'providerMetadata',
]);
