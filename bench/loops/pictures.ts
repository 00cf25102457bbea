import type { Random } from './random.ts';

/** Base64 of what begins like a PNG of this size and holds noise after its header. */
export function pngOf(width: number, height: number, random: Random): string {
  const head = Buffer.alloc(33);
  head.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.writeUInt8(8, 24);
  head.writeUInt8(6, 25);
  return head.toString('base64') + random.base64(NOISE);
}

/** Real captures are larger, but the count never depends on it. */
const NOISE = 1_200;

/** A picture that costs about this many tokens, within what the formula allows. */
export function pngFor(tokens: number, random: Random): string {
  const side = Math.min(1_560, Math.max(200, Math.round(Math.sqrt(tokens * 750))));
  return pngOf(side, side, random);
}

/** Tokens of a picture by its area, the size that the long side is scaled to included; at most 1,600. */
export function pictureTokens(base64: string): number {
  const head = Buffer.from(base64.slice(0, 44), 'base64');
  const width = head.readUInt32BE(16);
  const height = head.readUInt32BE(20);
  const scale = Math.min(1, 1_568 / Math.max(width, height));
  return Math.min(1_600, Math.max(85, Math.ceil((width * scale * height * scale) / 750)));
}

export function isPng(value: string): boolean {
  return value.startsWith('iVBORw0KGgo');
}

/** Base64 of what begins like a PDF. */
export function pdfOf(bytes: number, random: Random): string {
  return Buffer.from('%PDF-1.7\n').toString('base64') + random.base64(Math.ceil((bytes * 4) / 3 / 4) * 4);
}

export function isPdf(value: string): boolean {
  return value.startsWith('JVBERi0x');
}
