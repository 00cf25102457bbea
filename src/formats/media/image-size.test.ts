import { describe, expect, it } from 'vitest';
import { base64Bytes, parseDataUrl } from './data-url.ts';
import { imageSizeOf } from './image-size.ts';

const base64 = (...bytes: readonly (number | string)[]): string =>
  btoa(bytes.map((byte) => (typeof byte === 'string' ? byte : String.fromCharCode(byte))).join(''));
const padding = '\0'.repeat(40);

describe('imageSizeOf', () => {
  it('reads PNG, GIF and the three kinds of WebP', () => {
    expect(imageSizeOf(base64('\x89PNG\r\n\x1a\n', 0, 0, 0, 13, 'IHDR', 0, 0, 5, 0, 0, 0, 2, 0x58, padding))).toEqual({
      width: 1280,
      height: 600,
    });
    expect(imageSizeOf(base64('GIF89a', 0x40, 0x01, 0xc8, 0, padding))).toEqual({ width: 320, height: 200 });
    expect(imageSizeOf(base64('RIFF....WEBPVP8X', '\0'.repeat(8), 0x1f, 3, 0, 0x57, 2, 0, padding))).toEqual({
      width: 800,
      height: 600,
    });
    expect(imageSizeOf(base64('RIFF....WEBPVP8 ', '\0'.repeat(10), 0x20, 3, 0x58, 2, padding))).toEqual({
      width: 800,
      height: 600,
    });
    const bits = 799 | (599 << 14);
    expect(
      imageSizeOf(
        base64(
          'RIFF....WEBPVP8L',
          '\0'.repeat(4),
          0x2f,
          bits & 255,
          (bits >> 8) & 255,
          (bits >> 16) & 255,
          bits >>> 24,
          padding,
        ),
      ),
    ).toEqual({
      width: 800,
      height: 600,
    });
  });

  it('finds the frame of a JPEG behind a large thumbnail', () => {
    const exif = [0xff, 0xe1, 0xea, 0x62, '\0'.repeat(60_000)];
    expect(imageSizeOf(base64(0xff, 0xd8, ...exif, 0xff, 0xc0, 0, 17, 8, 2, 0x58, 3, 0x20, padding))).toEqual({
      width: 800,
      height: 600,
    });
  });

  it('gives null for anything else', () => {
    for (const text of ['', '!!!', 'AAAA', base64('\x89PNG\r\n\x1a\n'), base64(0xff, 0xd8, 0, 0, padding)])
      expect(imageSizeOf(text)).toBeNull();
  });
});

describe('parseDataUrl', () => {
  it('reads base64 URLs only', () => {
    expect(parseDataUrl('data:image/png;base64,AAAA')).toEqual({ mediaType: 'image/png', base64: 'AAAA' });
    expect(parseDataUrl('data:;base64,AAAA')).toEqual({ mediaType: null, base64: 'AAAA' });
    expect(parseDataUrl('data:text/plain,hello')).toBeNull();
    expect(parseDataUrl('https://example.test/a.png')).toBeNull();
    expect(base64Bytes('AAA=')).toBe(2);
  });
});
