import type { ImagePart, ResultContent } from '../../core/conversation/message.ts';
import { decodeContentField } from '../content-field.ts';
import { expectRecord, expectString, isRecord, type Place, stringOrNull, type WireRecord } from '../guards.ts';
import { base64Bytes, parseDataUrl } from '../media/data-url.ts';
import { imagePart } from '../media/image-part.ts';
import { opaquePart } from '../parts.ts';

/** The content of a message or the output of a call: parts, a text, or nothing. */
export function decodeContent(content: unknown, place: Place): readonly ResultContent[] {
  return decodeContentField(content, { ...place, expected: 'a string, an array of parts or null' }, decodePart);
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
  // An image may be given only by the id of an uploaded file.
  const url = stringOrNull(part['image_url']);
  const { mediaType = null, base64 = null } = (url === null ? null : parseDataUrl(url)) ?? {};
  return imagePart(part, { mediaType, base64, url, detail: part['detail'] });
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
