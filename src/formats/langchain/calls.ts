import type { ToolCallPart } from '../../core/conversation/message.ts';
import {
  expectArray,
  expectRecord,
  expectString,
  isRecord,
  jsonOf,
  type Place,
  type WireRecord,
  wrongField,
} from '../guards.ts';
import { parseObject } from '../json-object.ts';
import { CALL_BLOCKS, type LangChainBlock, type LangChainFields } from './wire.ts';

/**
 * Reads the calls of an answer. LangChain holds a call in up to four places: `tool_calls` or, when its arguments are no JSON, `invalid_tool_calls`; a
 * content block; and `additional_kwargs.tool_calls` in OpenAI's shape. Each call becomes one part, read from the first place that has it; an edit
 * changes every place.
 */
export function decodeCalls(
  fields: LangChainFields,
  index: number,
  answered: ReadonlySet<unknown>,
): readonly ToolCallPart[] {
  const copies = [...listOf(kwargsOf(fields)['tool_calls']), ...callBlocksOf(fields)];
  const copied = new Set(copies.map((copy) => (isRecord(copy) ? copy['id'] : undefined)));
  const calls = listIn(fields.tool_calls, index, 'tool_calls').map((call, at) =>
    decodeCall(call, { index, field: `tool_calls[${at}]` }),
  );
  // An invalid call that no provider would be sent needs no answer and becomes no part.
  const invalid = listIn(fields.invalid_tool_calls, index, 'invalid_tool_calls')
    .filter(isRecord)
    .filter((call) => typeof call['id'] === 'string' && (copied.has(call['id']) || answered.has(call['id'])))
    .map(decodeInvalid);
  const known = new Set([...calls, ...invalid].map((call) => call.callId));
  // Older versions stored calls only in one of the other places.
  const others = copies.filter(isRecord).flatMap((copy) => {
    if (typeof copy['id'] !== 'string' || known.has(copy['id'])) return [];
    known.add(copy['id']);
    return [decodeCopy(copy, copy['id'])];
  });
  return [...calls, ...invalid, ...others];
}

function decodeCall(value: unknown, { index, field }: Place): ToolCallPart {
  const call = expectRecord(value, index, field);
  const callId = expectString(call['id'], index, `${field}.id`);
  const name = expectString(call['name'], index, `${field}.name`);
  const json = jsonOf(expectRecord(call['args'], index, `${field}.args`));
  if (json === null)
    throw wrongField(
      { index, field: `${field}.args` },
      'an object neither circular nor nested beyond reason',
      call['args'],
    );
  return { type: 'tool-call', callId, name, arguments: json, raw: call };
}

function decodeInvalid(call: WireRecord): ToolCallPart {
  return {
    type: 'tool-call',
    callId: String(call['id']),
    name: textOr(call['name'], ''),
    arguments: textOr(call['args'], ''),
    raw: call,
  };
}

function decodeCopy(copy: WireRecord, callId: string): ToolCallPart {
  const body = isRecord(copy['function']) ? copy['function'] : copy;
  const input = body['arguments'] ?? body['input'] ?? body['args'];
  const text = typeof input === 'string' ? input : (jsonOf(input) ?? '');
  return { type: 'tool-call', callId, name: textOr(body['name'], ''), arguments: text, raw: copy };
}

/**
 * Rewrites the places outside the content: drops calls that are gone and changes edited ones. It also drops an invalid call that became no part: a
 * model never sees it, but the next reader of the message could take it for a call.
 */
export function rewriteCalls(fields: LangChainFields, calls: readonly ToolCallPart[]): WireRecord {
  const kwargs = kwargsOf(fields);
  const { tool_calls: copies, ...otherKwargs } = kwargs;
  const kept = rewriteCopies(copies, calls);
  return {
    ...(Array.isArray(fields.tool_calls) ? { tool_calls: rewriteOwn(fields.tool_calls, calls) } : {}),
    ...(Array.isArray(fields.invalid_tool_calls)
      ? { invalid_tool_calls: rewriteOwn(fields.invalid_tool_calls, calls) }
      : {}),
    ...(Array.isArray(copies)
      ? { additional_kwargs: kept.length === 0 ? otherKwargs : { ...kwargs, tool_calls: kept } }
      : {}),
  };
}

/** A list that parts were read from: each entry belongs to the part read from it. */
function rewriteOwn(list: unknown, calls: readonly ToolCallPart[]): readonly unknown[] {
  return listOf(list)
    .filter(isRecord)
    .flatMap((entry) => {
      const call = calls.find((each) => (each.raw ?? each.base) === entry);
      return call === undefined ? [] : [rewriteCall(entry, call)];
    });
}

/** A list that repeats calls: an entry belongs to the call with its id. */
function rewriteCopies(list: unknown, calls: readonly ToolCallPart[]): readonly unknown[] {
  const open = new Map(calls.map((call) => [call.callId, call]));
  return listOf(list)
    .filter(isRecord)
    .flatMap((entry) => {
      const { id } = entry as { readonly id?: unknown };
      const call = typeof id === 'string' ? open.get(id) : undefined;
      if (call === undefined) return [];
      open.delete(call.callId);
      return [rewriteCall(entry, call)];
    });
}

/** One place of a call with the part's name and arguments, in the shape of that place. */
export function rewriteCall(entry: WireRecord, call: ToolCallPart): WireRecord {
  if (call.raw !== undefined) return entry;
  const { name } = call;
  if (isRecord(entry['function']))
    return { ...entry, function: { ...entry['function'], name, arguments: call.arguments } };
  const field = 'input' in entry ? 'input' : 'args';
  // `check` made sure that an object is one.
  const value = typeof entry[field] === 'string' ? call.arguments : parseObject(call.arguments);
  return { ...entry, name, [field]: value };
}

export function callBlocksOf({ content }: LangChainFields): readonly LangChainBlock[] {
  return listOf(content).filter(isCallBlock);
}

export function isCallBlock(value: unknown): value is LangChainBlock {
  return isRecord(value) && CALL_BLOCKS.has(value['type']) && typeof value['id'] === 'string';
}

export function kwargsOf({ additional_kwargs: kwargs }: LangChainFields): WireRecord {
  return isRecord(kwargs) ? kwargs : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listIn(value: unknown, index: number, field: string): readonly unknown[] {
  return value === undefined || value === null ? [] : expectArray(value, { index, field }, 'an array');
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other;
}
