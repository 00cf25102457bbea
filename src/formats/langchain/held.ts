import { isRecord, type WireRecord } from '../guards.ts';
import type { LangChainFields } from './wire.ts';

/**
 * How a message is held: as an instance of a class, as `{type, data}` (`mapChatMessagesToStoredMessages`), or as the JSON of an instance (`{lc: 1,
 * type: 'constructor', id, kwargs}`). This package does not import LangChain, so it recognises instances by their methods.
 */
export interface Held {
  readonly form: 'instance' | 'stored' | 'constructor';
  readonly type: unknown;
  readonly fields: LangChainFields;
  readonly wire: WireRecord;
}

export function heldIn(value: unknown): Held | null {
  if (!isRecord(value)) return null;
  const type = typeOfInstance(value);
  if (type !== null) return { form: 'instance', type, fields: value, wire: value };
  if (isRecord(value['kwargs']) && value['lc'] === 1 && Array.isArray(value['id']))
    return { form: 'constructor', type: typeOfClass(value['id'].at(-1)), fields: value['kwargs'], wire: value };
  if (isRecord(value['data']) && typeof value['type'] === 'string' && 'content' in value['data'])
    return { form: 'stored', type: value['type'], fields: value['data'], wire: value };
  return null;
}

function typeOfInstance(value: WireRecord): string | null {
  if (typeof value['lc_serializable'] !== 'boolean') return null;
  const method = value['getType'] ?? value['_getType'];
  const type: unknown = typeof method === 'function' ? Reflect.apply(method, value, []) : null;
  return typeof type === 'string' ? type : null;
}

/** Class names in JSON, with the type of their messages. */
export const CLASSES: readonly (readonly [name: string, type: string])[] = [
  ['HumanMessage', 'human'],
  ['AIMessage', 'ai'],
  ['SystemMessage', 'system'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'function'],
  ['ChatMessage', 'generic'],
];

function typeOfClass(name: unknown): unknown {
  if (typeof name !== 'string') return name;
  // A streamed message is a chunk of the same type.
  return CLASSES.find(([own]) => own === name.replace(/Chunk$/, ''))?.[1] ?? name;
}
