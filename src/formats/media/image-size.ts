export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Pixel size from the first bytes of a PNG, GIF, WebP or JPEG; null when they do not tell. Only the head is decoded, because a session may hold
 * hundreds of megabytes of images.
 */
export function imageSizeOf(base64: string): ImageSize | null {
  const head = decodeHead(base64, SHORT_HEAD);
  if (head === null) return null;
  if (head.startsWith('\x89PNG\r\n\x1a\n'))
    return head.length < 24 ? null : { width: big(head, 16, 4), height: big(head, 20, 4) };
  if (head.startsWith('GIF8'))
    return head.length < 10 ? null : { width: little(head, 6, 2), height: little(head, 8, 2) };
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return webpSize(head);
  if (head.startsWith('\xff\xd8')) return jpegSize(decodeHead(base64, JPEG_HEAD) ?? head);
  return null;
}

/** Base64 characters, a multiple of 4. */
const SHORT_HEAD = 64;
/** A JPEG's size follows its EXIF block and embedded thumbnail, which are at most 64 KiB each. */
const JPEG_HEAD = 256 * 1024;

function decodeHead(base64: string, characters: number): string | null {
  try {
    return atob(base64.slice(0, characters));
  } catch {
    return null;
  }
}

function webpSize(head: string): ImageSize | null {
  if (head.length < 30) return null;
  switch (head.slice(12, 16)) {
    case 'VP8 ':
      return { width: little(head, 26, 2) & 0x3fff, height: little(head, 28, 2) & 0x3fff };
    case 'VP8L': {
      const bits = little(head, 21, 4);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: little(head, 24, 3) + 1, height: little(head, 27, 3) + 1 };
    default:
      return null;
  }
}

function jpegSize(bytes: string): ImageSize | null {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes.charCodeAt(at) !== 0xff) return null;
    const marker = bytes.charCodeAt(at + 1);
    if (isFrameMarker(marker)) return { width: big(bytes, at + 7, 2), height: big(bytes, at + 5, 2) };
    // Skip fill bytes and markers without a body.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + Math.max(2, big(bytes, at + 2, 2));
  }
  return null;
}

/** SOF0 to SOF15, except the three codes in that range that mark tables. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function big(bytes: string, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index += 1) value = value * 256 + bytes.charCodeAt(at + index);
  return value;
}

function little(bytes: string, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index -= 1) value = value * 256 + bytes.charCodeAt(at + index);
  return value;
}
