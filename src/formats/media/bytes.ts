/** The bytes of a `Uint8Array`, `Buffer`, any other view or an `ArrayBuffer`, without a copy; null for anything else. */
export function bytesOf(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : null;
}

/** Bytes turned into text at once: more would not fit into the arguments of one call. */
const AT_ONCE = 8190;

/** The base64 of all bytes, or of the first ones. */
export function base64OfBytes(bytes: Uint8Array, first: number = bytes.length): string {
  let base64 = '';
  const end = Math.min(first, bytes.length);
  // A multiple of three at a time keeps padding out of the middle.
  for (let at = 0; at < end; at += AT_ONCE)
    base64 += btoa(String.fromCharCode(...bytes.subarray(at, Math.min(end, at + AT_ONCE))));
  return base64;
}

/**
 * The JSON of a value, with the number of bytes in place of the bytes: `JSON.stringify` would print every byte as a number, and a picture would count
 * as millions of tokens. Null for a value without JSON: nested too deep, circular, undefined.
 */
export function jsonWithoutBytes(value: unknown): string | null {
  try {
    // A `Buffer` has its own `toJSON`, which runs before the replacer, so the holder's own value is checked.
    const text: string | undefined = JSON.stringify(value, function (this: unknown, key: string, printed: unknown) {
      const own: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : printed;
      const bytes = bytesOf(own);
      return bytes === null ? printed : `[${bytes.length} bytes]`;
    });
    return text ?? null;
  } catch {
    return null;
  }
}
