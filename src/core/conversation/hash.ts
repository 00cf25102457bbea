/** Start and prime of the 32-bit Fowler–Noll–Vo hash; the second lane starts elsewhere and mixes in the other order. */
const START = 0x811c9dc5;
const SECOND_START = 0x6c62272e;
const PRIME = 0x01000193;

/**
 * A 52-bit content hash as 13 hex digits: a handle for content inside one session, where a collision among a million
 * texts has odds of about one in ten thousand. Not for security; stores that need more keep their own digest.
 */
export function contentHash(text: string): string {
  let first = START;
  let second = SECOND_START;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, PRIME);
    second = Math.imul(second, PRIME) ^ (code + (first >>> 15));
  }
  // The low bits of this hash mix best, so the high ones are folded into them.
  const low = (first ^ (second >>> 7)) >>> 0;
  const high = ((second ^ (second >>> 20)) >>> 0) & 0xfffff;
  return high.toString(16).padStart(5, '0') + low.toString(16).padStart(8, '0');
}
