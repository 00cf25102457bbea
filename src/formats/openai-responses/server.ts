import type { WireRecord } from '../guards.ts';
import type { ServerSigns } from '../server-state.ts';
import { itemListOf } from './wire.ts';

/** An earlier response, a stored conversation, the server's own compaction, or items that only the server has (RESP-5). */
export const RESPONSES_SERVER: ServerSigns = {
  rule: 'RESP-5',
  fields: ['previous_response_id', 'conversation', 'context_management'],
  kindOf: (item) => (item['type'] === 'compaction' ? 'compaction' : isReference(item) ? 'item_reference' : null),
  listOf: itemListOf,
};

/** The type of a reference is optional: an id alone is one. */
export function isReference(item: WireRecord): boolean {
  const { type = null, role, id } = item as { readonly type?: unknown; readonly role?: unknown; readonly id?: unknown };
  return type === 'item_reference' || (type === null && role === undefined && typeof id === 'string');
}
