import type { Part, ResultContent, ToolCallPart, ToolResultPart } from '../../core/conversation/message.ts';
import {
  expectRecord,
  expectString,
  isRecord,
  jsonOf,
  type Place,
  stringOrNull,
  type WireRecord,
  wrongField,
} from '../guards.ts';
import { hostedGeminiPart } from '../hosted/gemini-parts.ts';
import { base64Bytes } from '../media/data-url.ts';
import { encryptedBytes } from '../media/encrypted.ts';
import { imagePart } from '../media/image-part.ts';
import { opaquePart } from '../parts.ts';
import { isFailure, responseText } from './response-text.ts';
import { fieldOf, hasSignature, keyOf } from './wire.ts';

/** Calls and answers often have no id on the wire; they get theirs later. */
export function decodePart(value: unknown, role: string, { index, field }: Place): Part {
  const part = expectRecord(value, index, field);
  const place = (name: string): Place => ({ index, field: `${field}.${name}` });
  const call = fieldOf(part, 'functionCall');
  if (call !== undefined && role === 'assistant') return decodeCall(part, call, place(keyOf(part, 'functionCall')));
  const answer = fieldOf(part, 'functionResponse');
  if (answer !== undefined && role !== 'assistant')
    return decodeResponse(part, answer, place(keyOf(part, 'functionResponse')));
  return (
    decodeText(part, role, place('text')) ?? decodeMedia(part) ?? opaquePart(kindOf(part), part, hostedGeminiPart(part))
  );
}

function decodeText(part: WireRecord, role: string, { index, field }: Place): Part | null {
  const { text, thought } = part as { readonly text?: unknown; readonly thought?: unknown };
  if (text === undefined || text === null) return null;
  const words = expectString(text, index, field);
  // An empty text with a signature only carries the signature.
  const isThought = role === 'assistant' && (thought === true || (words === '' && hasSignature(part)));
  // The API checks signatures only on calls of the current turn, and those always stay with their call.
  return isThought
    ? { type: 'reasoning', text: words, bound: false, ...encryptedBytes(fieldOf(part, 'thoughtSignature')), raw: part }
    : { type: 'text', text: words, raw: part };
}

function decodeCall(part: WireRecord, value: unknown, { index, field }: Place): ToolCallPart {
  const call = expectRecord(value, index, field);
  const name = expectString(call['name'], index, `${field}.name`);
  const args = call['args'] ?? {};
  const json = isRecord(args) ? jsonOf(args) : null;
  if (json === null) throw wrongField({ index, field: `${field}.args` }, 'an object', call['args']);
  const signed = hasSignature(part) ? { signed: true } : {};
  return { type: 'tool-call', callId: '', name, arguments: json, ...signed, raw: part };
}

function decodeResponse(part: WireRecord, value: unknown, { index, field }: Place): ToolResultPart {
  const answer = expectRecord(value, index, field);
  expectString(answer['name'], index, `${field}.name`);
  const { response, parts } = answer as { readonly response?: unknown; readonly parts?: unknown };
  if (parts !== undefined && parts !== null && !Array.isArray(parts))
    throw wrongField({ index, field: `${field}.parts` }, 'an array', parts);
  const media = (Array.isArray(parts) ? parts : []).map((item: unknown, at): ResultContent => {
    const record = expectRecord(item, index, `${field}.parts[${at}]`);
    return decodeMedia(record) ?? opaquePart(kindOf(record), record);
  });
  // Many write a bare text or nothing, but the API demands an object.
  const isBare = response === undefined || response === null || typeof response === 'string';
  if (!isBare && !isRecord(response)) throw wrongField({ index, field: `${field}.response` }, 'an object', response);
  const text = typeof response === 'string' ? response : isRecord(response) ? responseText(response) : '';
  return {
    type: 'tool-result',
    callId: '',
    content: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...media],
    isError: isRecord(response) && isFailure(response),
    ...(isBare ? { base: part } : { raw: part }),
  };
}

function decodeMedia(part: WireRecord): ResultContent | null {
  const inline = fieldOf(part, 'inlineData');
  const source = inline ?? fieldOf(part, 'fileData');
  if (!isRecord(source)) return null;
  const mediaType = stringOrNull(fieldOf(source, 'mimeType'));
  const data = inline === undefined ? null : stringOrNull(source['data']);
  if (mediaType?.startsWith('image/') !== true)
    return {
      type: 'file',
      name: stringOrNull(fieldOf(source, 'displayName')),
      mediaType,
      bytes: data === null ? 0 : base64Bytes(data),
      raw: part,
    };
  return imagePart(part, { mediaType, url: stringOrNull(fieldOf(source, 'fileUri')), base64: data });
}

function kindOf(part: WireRecord): string {
  return Object.keys(part).find((key) => isRecord(part[key])) ?? Object.keys(part)[0] ?? 'part';
}
