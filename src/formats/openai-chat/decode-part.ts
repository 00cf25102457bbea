import type { ImagePart, OpaquePart, ResultContent } from '../../core/conversation/message.ts';
import { expectRecord, expectString, isRecord, jsonOf, wrongField } from '../guards.ts';
import { base64Bytes, parseDataUrl } from '../media/data-url.ts';
import { imageSizeOf } from '../media/image-size.ts';
import type { ChatPart } from './wire.ts';

/** The content of any role: a string, an array of parts, or nothing. */
export function decodeContent(content: unknown, index: number): readonly ResultContent[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw wrongField(index, 'content', 'a string, an array of parts or null', content);
  return content.map((part: unknown, at) => decodePart(part, index, `content[${at}]`));
}

function decodePart(value: unknown, index: number, field: string): ResultContent {
  const part: ChatPart = expectRecord(value, index, field);
  switch (part.type) {
    case 'text':
      return { type: 'text', text: expectString(part.text, index, `${field}.text`), raw: part };
    case 'refusal':
      return { type: 'text', text: expectString(part.refusal, index, `${field}.refusal`), raw: part };
    case 'image_url':
      return decodeImage(part, index, field);
    case 'input_audio':
      return decodeAudio(part) ?? opaque('input_audio', part);
    case 'file':
      return decodeFile(part) ?? opaque('file', part);
    default:
      return opaque(expectString(part.type, index, `${field}.type`), part);
  }
}

/** A value this version does not know, kept as it is. */
export function opaque(kind: string, raw: unknown): OpaquePart {
  return { type: 'opaque', kind, json: jsonOf(raw) ?? '', raw };
}

function decodeImage(part: ChatPart, index: number, field: string): ImagePart {
  // Some servers take the bare URL in place of `{url, detail}`.
  const image = isRecord(part.image_url) ? part.image_url : { url: part.image_url };
  const url = expectString(image['url'], index, `${field}.image_url.url`);
  const detail = image['detail'];
  const data = parseDataUrl(url);
  const size = data === null ? null : imageSizeOf(data.base64);
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

function decodeAudio(part: ChatPart): ResultContent | null {
  if (!isRecord(part.input_audio)) return null;
  const { data, format } = part.input_audio as { readonly data?: unknown; readonly format?: unknown };
  if (typeof data !== 'string') return null;
  return {
    type: 'file',
    name: null,
    mediaType: typeof format === 'string' ? `audio/${format}` : null,
    bytes: base64Bytes(data),
    raw: part,
  };
}

function decodeFile(part: ChatPart): ResultContent | null {
  if (!isRecord(part.file)) return null;
  const { file_data: data, filename } = part.file as { readonly file_data?: unknown; readonly filename?: unknown };
  const name = typeof filename === 'string' ? filename : null;
  if (typeof data !== 'string') return { type: 'file', name, mediaType: null, bytes: 0, raw: part };
  const url = parseDataUrl(data);
  return { type: 'file', name, mediaType: url?.mediaType ?? null, bytes: base64Bytes(url?.base64 ?? data), raw: part };
}
