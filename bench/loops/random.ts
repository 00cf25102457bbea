/** Random numbers that a seed decides. */
export interface Random {
  /** From 0 up to 1. */
  readonly next: () => number;
  /** A whole number below `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
  /** Characters of base64. */
  readonly base64: (characters: number) => string;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A generator of 32 bits (mulberry32). */
export function randomFrom(seed: string): Random {
  let state = hashOf(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    base64: (characters) => Array.from({ length: characters }, () => BASE64[below(64)]).join(''),
  };
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash;
}
