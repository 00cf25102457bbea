import type { ImagePart, ResultContent } from '../../core/conversation/message.ts';
import { decodeContentField } from '../content-field.ts';
import { expectRecord, expectString, isRecord, type Place } from '../guards.ts';
import { unknownContent } from '../hosted/unknown-content.ts';
import { base64Bytes, parseDataUrl } from '../media/data-url.ts';
import { imagePart } from '../media/image-part.ts';
import { opaquePart } from '../parts.ts';
import type { ChatPart } from './wire.ts';

/** The content of any role: a string, an array of parts, or nothing. */
export function decodeContent(content: unknown, index: number): readonly ResultContent[] {
  const expected = 'a string, an array of parts or null';
  return decodeContentField(content, { index, field: 'content', expected }, decodePart);
}

function decodePart(value: unknown, { index, field }: Place): ResultContent {
  const part: ChatPart = expectRecord(value, index, field);
  switch (part.type) {
    case 'text':
      return { type: 'text', text: expectString(part.text, index, `${field}.text`), raw: part };
    case 'refusal':
      return { type: 'text', text: expectString(part.refusal, index, `${field}.refusal`), raw: part };
    case 'image_url':
      return decodeImage(part, { index, field });
    case 'input_audio':
      return decodeAudio(part) ?? opaquePart('input_audio', part, unknownContent(part));
    case 'file':
      return decodeFile(part) ?? opaquePart('file', part, unknownContent(part));
    default:
      return opaquePart(expectString(part.type, index, `${field}.type`), part, unknownContent(part));
  }
}

function decodeImage(part: ChatPart, { index, field }: Place): ImagePart {
  // Some servers take the bare URL in place of `{url, detail}`.
  const image = isRecord(part.image_url) ? part.image_url : { url: part.image_url };
  const url = expectString(image['url'], index, `${field}.image_url.url`);
  const data = parseDataUrl(url);
  const { mediaType = null, base64 = null } = data ?? {};
  return imagePart(part, { mediaType, base64, url, detail: image['detail'] });
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
