import { isRecord, type WireRecord } from '../guards.ts';
import { CALL_FIELDS, itemListOf, OUTPUT_TYPES } from './wire.ts';

/** A request has `input` in place of `messages`; items alone are known by what only they hold. */
export function detectResponses(wire: unknown): number {
  if (isRecord(wire) && Array.isArray(wire['messages'])) return 0;
  const list = (itemListOf(wire) ?? []).filter(isRecord);
  const own = list.filter(isOwn).length;
  const foreign = list.filter((item) => Array.isArray(item['tool_calls']) || item['role'] === 'tool').length;
  if (isRecord(wire) && (Array.isArray(wire['input']) || typeof wire['input'] === 'string'))
    return own > 0 || list.some((item) => typeof item['role'] === 'string') ? 0.97 : 0.5;
  // Chat is as sure of a list with a developer message, so being surer takes little.
  return own === 0 ? 0 : 0.99 * (own / (own + foreign));
}

function isOwn(item: WireRecord): boolean {
  const { type, content } = item as { readonly type?: unknown; readonly content?: unknown };
  if (CALL_FIELDS.has(type) || OUTPUT_TYPES.has(type)) return 'call_id' in item || 'id' in item;
  if (type === 'reasoning') return Array.isArray(item['summary']) || 'encrypted_content' in item;
  if (type === 'item_reference' || type === 'compaction') return 'id' in item || 'encrypted_content' in item;
  return Array.isArray(content) && content.some((part) => isRecord(part) && CONTENT.has(part['type']));
}

const CONTENT: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'input_image', 'input_file']);
