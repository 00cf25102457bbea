import { base64OfBytes, bytesOf } from './bytes.ts';
import { base64Bytes, parseDataUrl } from './data-url.ts';
import { type ImageSize, imageSizeOf } from './image-size.ts';

/** Bytes that stand in a value where a reader expects text. */
export interface FoundBytes {
  readonly size: number;
  /** Pixel size when the bytes are a picture, else null. */
  readonly picture: ImageSize | null;
  readonly isEncrypted: boolean;
}

/**
 * Finds bytes in one field of a wire value: a buffer, a data URL, encrypted text, or a long run of base64. Null for a text that people and models
 * read.
 */
export function bytesIn(value: unknown, field: string): FoundBytes | null {
  const buffer = bytesOf(value);
  if (buffer !== null) return found(buffer.length, base64OfBytes(buffer, HEAD_BYTES));
  if (typeof value !== 'string') return null;
  if (ENCRYPTED_FIELDS.test(field) && UNBROKEN.test(value))
    return { size: base64Bytes(value), picture: null, isEncrypted: true };
  const base64 = parseDataUrl(value)?.base64 ?? (isBase64(value) ? value : null);
  return base64 === null ? null : found(base64Bytes(base64), base64);
}

function found(size: number, head: string): FoundBytes {
  return { size, picture: imageSizeOf(head), isEncrypted: false };
}

/** Enough to find the size of any picture. A multiple of three. */
const HEAD_BYTES = 192 * 1024;

/** Names that providers give to text only they can read, in either spelling. */
const ENCRYPTED_FIELDS = /encrypted|signature$|^redacted/i;

/** Encrypted text has no spaces. The field of a tool that happens to have such a name usually does. */
const UNBROKEN = /^[^\s()]{16,}$/;

/** A shorter run costs little, and may be a path or an identifier. */
const LEAST_RUN = 512;

/** Base64 of real data mixes all kinds of characters. A long hexadecimal number or a run of one letter is text. */
function isBase64(text: string): boolean {
  if (text.length <= LEAST_RUN) return false;
  const head = text.slice(0, LEAST_RUN);
  return /[a-z]/.test(head) && /[A-Z]/.test(head) && /\d/.test(head) && /^[\w+/-]+={0,2}$/.test(text);
}
