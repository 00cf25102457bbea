import type { Part, ReasoningPart, ToolCallPart } from '../../core/conversation/message.ts';
import { expectString, isRecord, jsonOf, type Place, wrongField } from '../guards.ts';
import { hostedItem } from '../hosted/responses-items.ts';
import { encryptedBytes } from '../media/encrypted.ts';
import { opaquePart } from '../parts.ts';
import { decodeContent } from './decode-content.ts';
import { decodeOutput } from './decode-output.ts';
import { isReference } from './server.ts';
import {
  CALL_FIELDS,
  callTypeOf,
  isTextCall,
  OUTPUT_TYPES,
  type ResponsesItem,
  ROLE_NAMES,
  roleOf,
  STATE_TYPES,
} from './wire.ts';

/** A decoded item. `said`, `reasoning`, `call`, `reference` and `other` are pieces of an assistant message. */
export interface ReadItem {
  readonly index: number;
  readonly item: ResponsesItem;
  readonly kind: 'system' | 'user' | 'state' | 'said' | 'reasoning' | 'call' | 'reference' | 'other' | 'output';
  readonly parts: readonly Part[];
}

export function readItem(item: ResponsesItem, index: number): ReadItem {
  const read = (kind: ReadItem['kind'], parts: readonly Part[]): ReadItem => ({ index, item, kind, parts });
  // A message may lack its type.
  if (item.type === 'message' || (item.type === undefined && item.role !== undefined)) return readMessage(item, index);
  if (isReference(item)) return read('reference', [opaquePart('item_reference', item)]);
  const type = expectString(item.type, index, 'type');
  if (type === 'reasoning') return read('reasoning', [decodeReasoning(item)]);
  if (STATE_TYPES.has(type)) return read('state', [opaquePart(type, item, hostedItem(item))]);
  // Without an id there is nothing to pair by.
  const callId = callIdOf(item, index);
  if (callId !== null && OUTPUT_TYPES.has(type)) return read('output', [decodeOutput(item, callId, index)]);
  const field = CALL_FIELDS.get(type);
  if (callId !== null && field !== undefined) return read('call', [decodeCall(item, callId, { index, field })]);
  return read('other', [opaquePart(type, item, hostedItem(item))]);
}

function readMessage(item: ResponsesItem, index: number): ReadItem {
  const role = roleOf(item.role);
  if (role === null) throw wrongField({ index, field: 'role' }, `one of ${ROLE_NAMES}`, item.role);
  const parts = decodeContent(item.content, { index, field: 'content' });
  if (role === 'user' || role === 'system') return { index, item, kind: role, parts };
  // An assistant message has to find its items again; a text that is a whole item keeps that item.
  return {
    index,
    item,
    kind: 'said',
    parts: parts.map((part) => (part.raw === undefined ? { ...part, raw: item } : part)),
  };
}

/** The id that pairs a call with its output. Null is legal and pairs with nothing; a function without the field is broken. */
function callIdOf(item: ResponsesItem, index: number): string | null {
  // The output of a local shell names its call by `id`.
  const id = item.type === 'local_shell_call_output' ? (item.call_id ?? item.id) : item.call_id;
  if (id !== null && isTextCall(callTypeOf(item.type))) return expectString(id, index, 'call_id');
  return typeof id === 'string' ? id : null;
}

/** Only the provider can read encrypted reasoning, but no provider checks it against the messages before it. */
function decodeReasoning(item: ResponsesItem): ReasoningPart {
  const texts = [item.summary, item.content].flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  const text = texts
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .filter((part) => part !== '')
    .join('\n');
  return { type: 'reasoning', text, bound: false, ...encryptedBytes(item.encrypted_content), raw: item };
}

function decodeCall(item: ResponsesItem, callId: string, { index, field }: Place): ToolCallPart {
  if (isTextCall(item.type)) {
    const name = expectString(item.name, index, 'name');
    return { type: 'tool-call', callId, name, arguments: expectString(item[field], index, field), raw: item };
  }
  const name = String(item.type).replace(/_call$/, '');
  // A computer may get several actions at once.
  const payload = item[field] ?? (Array.isArray(item['actions']) ? { actions: item['actions'] } : undefined);
  const json = isRecord(payload) ? jsonOf(payload) : null;
  if (json === null) throw wrongField({ index, field }, 'an object', payload);
  return { type: 'tool-call', callId, name, arguments: json, raw: item };
}
