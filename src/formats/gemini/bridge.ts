import {
  type Bridge,
  inlineText,
  type Lose,
  type MediaData,
  mediaText,
  otherFields,
  type PlainContent,
  type PlainMedia,
  type PlainMessage,
  type PlainResult,
  type PlainSpeech,
} from '../convert/plain.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { objectOf } from '../json-object.ts';
import { fieldOf } from './wire.ts';

/** Conversions from contents of Gemini and to them. */
export const geminiBridge: Bridge = {
  id: 'gemini',
  holds: ['contents', 'systemInstruction', 'system_instruction'],
  media,
  extras,
  build,
};

/** Fields of contents and of their parts that parts of a conversation hold. */
const CARRIED: ReadonlySet<string> = new Set([
  ...['role', 'parts', 'text', 'thought', 'functionCall', 'function_call', 'functionResponse', 'function_response'],
  ...['inlineData', 'inline_data', 'fileData', 'file_data'],
]);
/** The same, for what stands in a part. */
const BODIES = [
  ['functionCall', new Set(['id', 'name', 'args'])],
  ['functionResponse', new Set(['id', 'name', 'response', 'parts'])],
  ['inlineData', new Set(['data', 'mimeType', 'mime_type'])],
  ['fileData', new Set(['fileUri', 'file_uri', 'mimeType', 'mime_type'])],
] as const;
const NAMES: ReadonlySet<string> = new Set(['displayName', 'display_name']);

function extras(wire: unknown): readonly string[] {
  if (!isRecord(wire)) return [];
  const inner = BODIES.flatMap(([field, carried]) => {
    const body = fieldOf(wire, field);
    const type = isRecord(body) ? fieldOf(body, 'mimeType') : null;
    // The name of a file comes over, that of an image does not.
    const isNamed = typeof type !== 'string' || !type.startsWith('image/');
    return otherFields(body, carried).filter((key) => !isNamed || !NAMES.has(key));
  });
  return [...otherFields(wire, CARRIED), ...inner];
}

function media(wire: unknown): MediaData | null {
  if (!isRecord(wire)) return null;
  const [inline, file] = [fieldOf(wire, 'inlineData'), fieldOf(wire, 'fileData')];
  const data = isRecord(inline) ? inline['data'] : undefined;
  if (typeof data === 'string') return { type: 'base64', base64: data };
  const url = isRecord(file) ? fieldOf(file, 'fileUri') : undefined;
  return typeof url === 'string' ? { type: 'url', url } : null;
}

/**
 * System messages at the start are the system instruction. The results of one step stand in one content, and so do answers that follow each
 * other: a call must directly follow what the user or a function said.
 */
function build(messages: readonly PlainMessage[], lose: Lose): unknown {
  const start = messages.findIndex((message) => message.role !== 'system');
  const leading = messages.slice(0, start < 0 ? messages.length : start);
  const contents: { readonly role: 'user' | 'model'; readonly parts: WireRecord[] }[] = [];
  let before: PlainMessage['role'] | null = null;
  for (const message of messages.slice(leading.length)) {
    const parts = partsOf(message, lose);
    const joins = message.role === before && (message.role === 'tool' || message.role === 'assistant');
    if (joins) contents.at(-1)?.parts.push(...parts);
    else contents.push({ role: message.role === 'assistant' ? 'model' : 'user', parts: [...parts] });
    before = message.role;
  }
  const prompts = leading.flatMap((message) => (message.role === 'system' ? [{ text: message.text }] : []));
  return prompts.length === 0 ? contents : { systemInstruction: { parts: prompts }, contents };
}

function partsOf(message: PlainMessage, lose: Lose): readonly WireRecord[] {
  const { index } = message;
  switch (message.role) {
    case 'system':
      lose(index, 'a system message among the others is a message of the user in Gemini');
      return [{ text: message.text }];
    case 'user':
      return message.content.map((part) => buildContent(part, index, lose));
    case 'assistant':
      return message.content.map((part) => buildSpeech(part, index, lose));
    case 'tool':
      return message.results.map((result) => buildResult(result, index, lose));
  }
}

function buildSpeech(part: PlainSpeech, index: number, lose: Lose): WireRecord {
  switch (part.type) {
    case 'reasoning':
      return { text: part.text, thought: true };
    case 'tool-call': {
      const input = objectOf(part.arguments);
      if (input === null && part.arguments !== '')
        lose(index, `the arguments of the call \`${part.callId}\` are no JSON object; they stand in \`args.input\``);
      const args = input ?? (part.arguments === '' ? {} : { input: part.arguments });
      return { functionCall: { id: part.callId, name: part.name, args } };
    }
    default:
      return buildContent(part, index, lose);
  }
}

function buildContent(part: PlainContent, index: number, lose: Lose): WireRecord {
  if (part.type === 'text') return { text: part.text };
  return buildMedia(part, index, lose) ?? { text: textOf(part, index, lose) };
}

/** The image or file as data or by its address; null when only text can stand for it. */
function buildMedia({ kind, data, mediaType, name }: PlainMedia, index: number, lose: Lose): WireRecord | null {
  const mimeType = mediaType ?? (kind === 'image' ? 'image/png' : null);
  if (data.type === 'text' || mimeType === null) return null;
  // The API knows what an image is by its type alone.
  if (kind === 'image' && !mimeType.startsWith('image/')) return null;
  if (mediaType === null) lose(index, 'an image without a type is called image/png');
  const named = name === null || kind === 'image' ? {} : { displayName: name };
  return data.type === 'url'
    ? { fileData: { mimeType, fileUri: data.url, ...named } }
    : { inlineData: { mimeType, data: data.base64, ...named } };
}

function textOf(part: PlainMedia, index: number, lose: Lose): string {
  const text = inlineText(part, index, lose);
  if (text !== null) return text;
  lose(index, `Gemini takes no ${part.kind} of the type ${part.mediaType ?? 'unknown'}; a line of text stands for it`);
  return mediaText(part);
}

/** Text is one field of the response, whose name says whether the tool failed; images and files stand beside it. */
function buildResult({ callId, name, content, isError }: PlainResult, index: number, lose: Lose): WireRecord {
  const texts: string[] = [];
  const parts: WireRecord[] = [];
  for (const part of content) {
    const built = part.type === 'text' ? null : buildMedia(part, index, lose);
    if (built !== null) parts.push(built);
    else texts.push(part.type === 'text' ? part.text : textOf(part, index, lose));
  }
  const text = texts.join('\n');
  if (isError && text === '') lose(index, `that the tool failed (\`${callId}\`) has no place without a text`);
  const response = { [isError && text !== '' ? 'error' : 'output']: text };
  return { functionResponse: { id: callId, name, response, ...(parts.length === 0 ? {} : { parts }) } };
}
