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
