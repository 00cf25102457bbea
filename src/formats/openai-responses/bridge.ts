import { otherFields } from '../convert/extras.ts';
import { withLegalIds } from '../convert/legal-ids.ts';
import { audioData, audioInput, dataUrl, inlineText, textInstead } from '../convert/media.ts';
import type {
  Bridge,
  LoseHere,
  MediaData,
  PlainContent,
  PlainMedia,
  PlainMessage,
  PlainResult,
  PlainSpeech,
} from '../convert/plain.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { parseDataUrl } from '../media/data-url.ts';
import { CALL_FIELDS, OUTPUT_TYPES } from './wire.ts';

/** Converts OpenAI Responses items from and to plain messages. */
export const responsesBridge: Bridge = {
  id: 'openai-responses',
  holds: ['input', 'instructions'],
  media,
  extras,
  build: (messages, lose) =>
    withLegalIds(messages, lose).flatMap((message) => buildMessage(message, (text) => lose(message.index, text))),
};

/** Fields of items and their content that a conversation carries. */
const CARRIED: ReadonlySet<string> = new Set([
  ...['type', 'role', 'content', 'text', 'refusal', 'summary', 'image_url', 'detail', 'filename', 'file_data'],
  ...['file_url', 'input_audio', 'call_id', 'name', 'arguments', 'input', 'action', 'operation', 'output'],
]);

/** A message made of several items is a list. Items of other types are parts, or opaque and lost as a whole. */
function extras(wire: unknown): readonly string[] {
  if (Array.isArray(wire)) return wire.filter(isMessage).flatMap(extras);
  if (!isRecord(wire) || !isRead(wire)) return [];
  const { type, role, status, prompt_cache_breakpoint: marker } = wire as { readonly [key: string]: unknown };
  const fields = otherFields(wire, CARRIED).filter((key) => key !== 'status' || status !== 'completed');
  return [
    ...fields,
    ...(role === 'developer' ? ['role: developer'] : []),
    // Other formats only have functions.
    ...(CALL_FIELDS.has(type) && type !== 'function_call' ? [`type: ${String(type)}`] : []),
    // An empty marker still means something.
    ...(isRecord(marker) && !fields.includes('prompt_cache_breakpoint') ? ['prompt_cache_breakpoint'] : []),
  ];
}

function isMessage(item: unknown): item is WireRecord {
  return isRecord(item) && (item['type'] === 'message' || item['type'] === undefined);
}

const CONTENT: ReadonlySet<unknown> = new Set([
  ...['input_text', 'output_text', 'text', 'refusal', 'input_image', 'input_file', 'input_audio', 'reasoning'],
]);

function isRead(wire: WireRecord): boolean {
  const { type } = wire as { readonly type?: unknown };
  return isMessage(wire) || CONTENT.has(type) || CALL_FIELDS.has(type) || OUTPUT_TYPES.has(type);
}

function media(wire: unknown): MediaData | null {
  if (!isRecord(wire)) return null;
  const {
    image_url: image,
    file_data: file,
    file_url: url,
    input_audio: audio,
  } = wire as {
    readonly [key: string]: unknown;
  };
  if (isRecord(audio)) return audioData(audio);
  if (typeof file === 'string') return { type: 'base64', base64: parseDataUrl(file)?.base64 ?? file };
  const place = image ?? url;
  if (typeof place !== 'string') return null;
  const inline = parseDataUrl(place);
  return inline === null ? { type: 'url', url: place } : { type: 'base64', base64: inline.base64 };
}

/** Content is always written as parts, whose types tell a list of items from other formats. */
function buildMessage(message: PlainMessage, lose: LoseHere): readonly WireRecord[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'system', content: [{ type: 'input_text', text: message.text }] }];
    case 'user':
      return [{ type: 'message', role: 'user', content: message.content.map((part) => buildInput(part, lose)) }];
    case 'assistant':
      return buildAnswer(message.content, lose);
    case 'tool':
      return message.results.map((result) => buildResult(result, lose));
  }
}

function buildInput(part: PlainContent, lose: LoseHere): WireRecord {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  return audioInput(part) ?? buildMedia(part, lose);
}

function buildMedia(part: PlainMedia, lose: LoseHere): WireRecord {
  const { kind, data, mediaType, name } = part;
  if (data.type === 'text') return { type: 'input_text', text: inlineText(part, data.text, lose) };
  if (kind === 'image') {
    const url = data.type === 'url' ? data.url : dataUrl(mediaType ?? 'image/png', data.base64);
    return { type: 'input_image', image_url: url, detail: 'auto' };
  }
  if (data.type === 'url') {
    if (name !== null) lose(`the name of the file \`${name}\` is left out`);
    return { type: 'input_file', file_url: data.url };
  }
  return {
    type: 'input_file',
    ...(name === null ? {} : { filename: name }),
    file_data: dataUrl(mediaType, data.base64),
  };
}

/** One item for consecutive words, one for each call. */
function buildAnswer(content: readonly PlainSpeech[], lose: LoseHere): readonly WireRecord[] {
  const items: WireRecord[] = [];
  let words: WireRecord[] | null = null;
  for (const part of content) {
    if (part.type === 'reasoning') {
      lose('OpenAI Responses takes no reasoning but its own, with its id; it is left out');
      continue;
    }
    if (part.type === 'tool-call') {
      words = null;
      items.push({ type: 'function_call', call_id: part.callId, name: part.name, arguments: part.arguments });
      continue;
    }
    if (words === null) {
      words = [];
      items.push({ type: 'message', role: 'assistant', content: words });
    }
    const why = 'an answer in OpenAI Responses holds text only';
    words.push({ type: 'output_text', text: part.type === 'text' ? part.text : textInstead(part, why, lose) });
  }
  if (items.length === 0) lose('nothing is left of the message, so it is left out');
  return items;
}

function buildResult({ callId, content, isError }: PlainResult, lose: LoseHere): WireRecord {
  if (isError) lose(`that the tool failed (\`${callId}\`) can only be read in its text`);
  const [first] = content;
  const text = first === undefined ? '' : content.length === 1 && first.type === 'text' ? first.text : null;
  const output = text ?? content.map((part) => buildOutput(part, lose));
  return { type: 'function_call_output', call_id: callId, output };
}

function buildOutput(part: PlainContent, lose: LoseHere): WireRecord {
  return part.type === 'text' ? { type: 'input_text', text: part.text } : buildMedia(part, lose);
}
