import { isRecord } from '../guards.ts';
import { base64OfBytes, bytesOf } from '../media/bytes.ts';
import { base64Bytes, parseDataUrl } from '../media/data-url.ts';

/** The `data` of a file or the `image` of an image: both versions of the SDK take many shapes for it. */
export type AiData =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'base64'; readonly base64: string; readonly mediaType: string | null }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'text'; readonly text: string }
  /** A file that only its provider has, or a shape of a later version. */
  | { readonly type: 'reference' };

export function readData(value: unknown): AiData {
  const bytes = bytesOf(value);
  if (bytes !== null) return { type: 'bytes', bytes };
  if (typeof value === 'string') return readString(value);
  if (value instanceof URL) return readString(value.href);
  if (!isRecord(value)) return { type: 'reference' };
  // Version 7 may name the shape.
  switch (value['type']) {
    case 'data':
      return readData(value['data']);
    case 'url':
      return readData(value['url']);
    case 'text':
      return typeof value['text'] === 'string' ? { type: 'text', text: value['text'] } : { type: 'reference' };
    default:
      return { type: 'reference' };
  }
}

function readString(text: string): AiData {
  const data = parseDataUrl(text);
  if (data !== null) return { type: 'base64', base64: data.base64, mediaType: data.mediaType };
  return /^[a-z][a-z\d+.-]*:/i.test(text.slice(0, LONGEST_SCHEME))
    ? { type: 'url', url: text }
    : { type: 'base64', base64: text, mediaType: null };
}

/** Base64 has no colon, so the first characters tell a URL from megabytes of data. */
const LONGEST_SCHEME = 40;

export function sizeInBytes(data: AiData): number {
  switch (data.type) {
    case 'bytes':
      return data.bytes.length;
    case 'base64':
      return base64Bytes(data.base64);
    case 'text':
      return data.text.length;
    case 'url':
    case 'reference':
      return 0;
  }
}

/** Enough bytes to find the size of any image: a JPEG states it after its thumbnails. A multiple of three. */
const HEAD_BYTES = 192 * 1024;

/** Base64 of the data, or of its first bytes: enough to read the size of an image. Null for data that is elsewhere. */
export function headInBase64(data: AiData): string | null {
  if (data.type === 'base64') return data.base64;
  return data.type === 'bytes' ? base64OfBytes(data.bytes, HEAD_BYTES) : null;
}
