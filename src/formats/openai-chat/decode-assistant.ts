import type { HostedCall, Part, ReasoningPart, ToolCallPart } from '../../core/conversation/message.ts';
import { expectArray, expectRecord, expectString, isRecord, jsonOf, type Place } from '../guards.ts';
import { readableText } from '../hosted/readable-text.ts';
import { encryptedBytes } from '../media/encrypted.ts';
import { opaquePart } from '../parts.ts';
import { decodeContent } from './decode-part.ts';
import { type ChatMessage, type ChatToolCall, SIDE_CONTENT } from './wire.ts';

/** Reasoning, text, then calls: the order in which the model wrote them. */
export function decodeAssistant(message: ChatMessage, index: number): readonly Part[] {
  const reasoning = decodeReasoning(message);
  const side = SIDE_CONTENT.filter(
    (field) => message[field] !== undefined && message[field] !== null && message[field] !== '',
  );
  return [
    ...(reasoning === null ? [] : [reasoning]),
    ...decodeContent(message.content, index),
    ...side.map((field) => opaquePart(field, message[field], sideContent(field, message[field]))),
    ...decodeCalls(message.tool_calls, index),
    ...decodeFunctionCall(message.function_call, index),
  ];
}

/** A refusal has words; the sound of an answer is with the provider, perhaps with what was said. */
function sideContent(field: string, value: unknown): HostedCall {
  return { callId: null, name: field, arguments: null, output: readableText(value) };
}

/** Id of a deprecated `function_call`, which has none on the wire: the next function message answers it. */
export function functionCallId(index: number): string {
  return `function_call_${index}`;
}

function decodeCalls(calls: unknown, index: number): readonly ToolCallPart[] {
  if (calls === undefined || calls === null) return [];
  const list = expectArray(calls, { index, field: 'tool_calls' }, 'an array');
  return list.map((call, at) => decodeCall(call, { index, field: `tool_calls[${at}]` }));
}

function decodeCall(value: unknown, { index, field }: Place): ToolCallPart {
  const call: ChatToolCall = expectRecord(value, index, field);
  const callId = expectString(call.id, index, `${field}.id`);
  if (call.type === 'custom') {
    const custom = expectRecord(call.custom, index, `${field}.custom`);
    const name = expectString(custom['name'], index, `${field}.custom.name`);
    return {
      type: 'tool-call',
      callId,
      name,
      arguments: expectString(custom['input'], index, `${field}.custom.input`),
      raw: call,
    };
  }
  // An unknown kind of call still has to pair with its result.
  if (typeof call.type === 'string' && call.type !== 'function') {
    return { type: 'tool-call', callId, name: call.type, arguments: jsonOf(call) ?? '', raw: call };
  }
  const body = expectRecord(call.function, index, `${field}.function`);
  const name = expectString(body['name'], index, `${field}.function.name`);
  return {
    type: 'tool-call',
    callId,
    name,
    arguments: expectString(body['arguments'], index, `${field}.function.arguments`),
    raw: call,
  };
}

function decodeFunctionCall(value: unknown, index: number): readonly ToolCallPart[] {
  if (value === undefined || value === null) return [];
  const call = expectRecord(value, index, 'function_call');
  const name = expectString(call['name'], index, 'function_call.name');
  const text = expectString(call['arguments'], index, 'function_call.arguments');
  return [{ type: 'tool-call', callId: functionCallId(index), name, arguments: text, raw: call }];
}

/** One part for all three fields: a server that sends two of them repeats itself. */
export function decodeReasoning(message: ChatMessage): ReasoningPart | null {
  const details = Array.isArray(message.reasoning_details) ? message.reasoning_details : [];
  const texts = [message.reasoning_content, message.reasoning, details.map(detailText).join('\n')];
  const text = texts.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
  if (text === '' && details.length === 0) return null;
  const encrypted = details.filter(isRecord).flatMap((detail) => [detail['data'], detail['signature']]);
  return { type: 'reasoning', text, bound: details.some(isSigned), ...encryptedBytes(...encrypted) };
}

function detailText(detail: unknown): string {
  if (!isRecord(detail)) return '';
  const text = detail['text'] ?? detail['summary'];
  return typeof text === 'string' ? text : '';
}

function isSigned(detail: unknown): boolean {
  if (!isRecord(detail)) return false;
  return (
    detail['type'] === 'reasoning.encrypted' ||
    typeof detail['signature'] === 'string' ||
    typeof detail['data'] === 'string'
  );
}
