import type { ImagePart, ResultContent } from '../../core/conversation/message.ts';
import { expectRecord, expectString, isRecord, type WireRecord, wrongField } from '../guards.ts';
import { base64Bytes, parseDataUrl } from '../media/data-url.ts';
import { imageSizeOf } from '../media/image-size.ts';
import { opaquePart } from '../opaque.ts';

/** Where a value stands, for errors. */
export interface Place {
  readonly index: number;
  readonly field: string;
}

/** The content of a message or the output of a call: parts, a text, or nothing. */
export function decodeContent(content: unknown, { index, field }: Place): readonly ResultContent[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw wrongField(index, field, 'a string, an array of parts or null', content);
  return content.map((part: unknown, at) => decodePart(part, { index, field: `${field}[${at}]` }));
}

function decodePart(value: unknown, { index, field }: Place): ResultContent {
  const part = expectRecord(value, index, field);
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: expectString(part['text'], index, `${field}.text`), raw: part };
    case 'refusal':
      return { type: 'text', text: expectString(part['refusal'], index, `${field}.refusal`), raw: part };
    case 'input_image':
      return decodeImage(part);
    case 'input_file':
      return decodeFile(part);
    case 'input_audio':
      return decodeAudio(part) ?? opaquePart('input_audio', part);
    default:
      return opaquePart(expectString(part['type'], index, `${field}.type`), part);
  }
}

function decodeImage(part: WireRecord): ImagePart {
  // An image may be named by the id of an uploaded file alone.
  const url = stringOrNull(part['image_url']);
  const data = url === null ? null : parseDataUrl(url);
  const size = data === null ? null : imageSizeOf(data.base64);
  const detail = part['detail'];
  return {
    type: 'image',
    mediaType: data?.mediaType ?? null,
    width: size?.width ?? null,
    height: size?.height ?? null,
    url,
    detail: detail === 'low' || detail === 'high' ? detail : 'auto',
    raw: part,
  };
}

function decodeFile(part: WireRecord): ResultContent {
  const data = stringOrNull(part['file_data']);
  const url = data === null ? null : parseDataUrl(data);
  return {
    type: 'file',
    name: stringOrNull(part['filename']),
    mediaType: url?.mediaType ?? null,
    bytes: data === null ? 0 : base64Bytes(url?.base64 ?? data),
    raw: part,
  };
}

function decodeAudio(part: WireRecord): ResultContent | null {
  const audio = part['input_audio'];
  if (!isRecord(audio) || typeof audio['data'] !== 'string') return null;
  const format = stringOrNull(audio['format']);
  const mediaType = format === null ? null : `audio/${format}`;
  return { type: 'file', name: null, mediaType, bytes: base64Bytes(audio['data']), raw: part };
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
