/**
 * A 52-bit content hash as 13 hex digits: a handle for content inside one session, where a collision among a million
 * texts has odds of about one in ten thousand. Not for security; stores that need more keep their own digest.
 */
export function contentHash(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  const high = (b >>> 0) & 0xfffff;
  return high.toString(16).padStart(5, '0') + (a >>> 0).toString(16).padStart(8, '0');
}
