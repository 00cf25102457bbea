import { otherFields } from '../convert/extras.ts';
import { inlineText, mediaText } from '../convert/media.ts';
import type {
  Bridge,
  Lose,
  LoseHere,
  MediaData,
  PlainContent,
  PlainMedia,
  PlainMessage,
  PlainResult,
  PlainSpeech,
} from '../convert/plain.ts';
import { objectInput, splitPrompts } from '../convert/speech.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { fieldOf } from './wire.ts';

/** Converts Gemini contents from and to plain messages. */
export const geminiBridge: Bridge = {
  id: 'gemini',
  holds: ['contents', 'systemInstruction', 'system_instruction'],
  media,
  extras,
  build,
};

/** Fields of contents and their parts that a conversation carries. */
const CARRIED: ReadonlySet<string> = new Set([
  ...['role', 'parts', 'text', 'thought', 'functionCall', 'function_call', 'functionResponse', 'function_response'],
  ...['inlineData', 'inline_data', 'fileData', 'file_data'],
]);
/** The same for the objects inside a part. */
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
    // A file keeps its name, an image does not.
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
 * Leading system messages become the system instruction. The results of one step stand in one content, and so do consecutive answers: a call must
 * directly follow a content of the user or of a function.
 */
function build(messages: readonly PlainMessage[], lose: Lose): unknown {
  const { prompts, rest } = splitPrompts(messages);
  const contents: { readonly role: 'user' | 'model'; readonly parts: WireRecord[] }[] = [];
  let before: PlainMessage['role'] | null = null;
  for (const message of rest) {
    const parts = buildParts(message, (text) => lose(message.index, text));
    const joins = message.role === before && (message.role === 'tool' || message.role === 'assistant');
    if (joins) contents.at(-1)?.parts.push(...parts);
    else contents.push({ role: message.role === 'assistant' ? 'model' : 'user', parts: [...parts] });
    before = message.role;
  }
  return prompts.length === 0
    ? contents
    : { systemInstruction: { parts: prompts.map((text) => ({ text })) }, contents };
}

function buildParts(message: PlainMessage, lose: LoseHere): readonly WireRecord[] {
  switch (message.role) {
    case 'system':
      lose('a system message among the others is a message of the user in Gemini');
      return [{ text: message.text }];
    case 'user':
      return message.content.map((part) => buildContent(part, lose));
    case 'assistant':
      return message.content.map((part) => buildSpeech(part, lose));
    case 'tool':
      return message.results.map((result) => buildResult(result, lose));
  }
}

function buildSpeech(part: PlainSpeech, lose: LoseHere): WireRecord {
  switch (part.type) {
    case 'reasoning':
      return { text: part.text, thought: true };
    case 'tool-call':
      return { functionCall: { id: part.callId, name: part.name, args: objectInput(part, 'args', lose) } };
    default:
      return buildContent(part, lose);
  }
}

function buildContent(part: PlainContent, lose: LoseHere): WireRecord {
  if (part.type === 'text') return { text: part.text };
  return buildMedia(part, lose) ?? { text: textForMedia(part, lose) };
}

/** Writes an image or file as data or by its address; null when only text can replace it. */
function buildMedia({ kind, data, mediaType, name }: PlainMedia, lose: LoseHere): WireRecord | null {
  const mimeType = mediaType ?? (kind === 'image' ? 'image/png' : null);
  if (data.type === 'text' || mimeType === null) return null;
  // The API recognises an image by its type alone.
  if (kind === 'image' && !mimeType.startsWith('image/')) return null;
  if (mediaType === null) lose('an image without a type is called image/png');
  const named = name === null || kind === 'image' ? {} : { displayName: name };
  return data.type === 'url'
    ? { fileData: { mimeType, fileUri: data.url, ...named } }
    : { inlineData: { mimeType, data: data.base64, ...named } };
}

function textForMedia(part: PlainMedia, lose: LoseHere): string {
  if (part.data.type === 'text') return inlineText(part, part.data.text, lose);
  lose(`Gemini takes no ${part.kind} of the type ${part.mediaType ?? 'unknown'}; a line of text stands for it`);
  return mediaText(part);
}

/** Writes a result. Its text is one field of the response, named after success or failure; images and files are next to it. */
function buildResult({ callId, name, content, isError }: PlainResult, lose: LoseHere): WireRecord {
  const texts: string[] = [];
  const parts: WireRecord[] = [];
  for (const part of content) {
    const built = part.type === 'text' ? null : buildMedia(part, lose);
    if (built !== null) parts.push(built);
    else texts.push(part.type === 'text' ? part.text : textForMedia(part, lose));
  }
  const text = texts.join('\n');
  if (isError && text === '') lose(`that the tool failed (\`${callId}\`) has no place without a text`);
  const response = { [isError && text !== '' ? 'error' : 'output']: text };
  return { functionResponse: { id: callId, name, response, ...(parts.length === 0 ? {} : { parts }) } };
}
