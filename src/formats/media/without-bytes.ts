import { bytesIn } from './bytes-in.ts';
import type { ImageSize } from './image-size.ts';

/** A value as JSON, and the bytes that were left out of it. */
export interface WithoutBytes {
  /** Empty for a value without JSON: circular, nested too deep, undefined. */
  readonly json: string;
  /** Number of bytes that are no picture. */
  readonly bytes: number;
  readonly pictures: readonly ImageSize[];
}

/**
 * Writes a value as JSON with `[N bytes]` in place of bytes. A picture would count as millions of tokens otherwise, though a provider prices it by
 * its size in pixels.
 */
export function withoutBytes(value: unknown): WithoutBytes {
  const pictures: ImageSize[] = [];
  let bytes = 0;
  const replace = function (this: unknown, key: string, printed: unknown): unknown {
    // A `Buffer` has its own `toJSON`, which runs before the replacer, so the holder's own value is checked.
    const own: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : printed;
    const found = bytesIn(own, key);
    if (found === null) return printed;
    if (found.picture === null) bytes += found.size;
    else pictures.push(found.picture);
    return `[${found.size} bytes]`;
  };
  try {
    const json: string | undefined = JSON.stringify(value, replace);
    return { json: json ?? '', bytes, pictures };
  } catch {
    return { json: '', bytes: 0, pictures: [] };
  }
}
