/** Counts the tokens of a text. Exact counters live outside core (`precis/o200k`). */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
}

/**
 * A counter that needs no vocabulary: by script, since four Latin letters, half a Chinese character and three digits
 * each cost about one token. Good to some 15 % on prose and code; use an exact counter where a limit must hold.
 */
export const heuristicCounter: TokenCounter = {
  id: 'heuristic',
  count(text: string): number {
    let quarters = 0;
    let previous = -1;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const kind = scriptOf(code);
      quarters += COST[kind] ?? 4;
      // A new word or symbol run starts a new token more often than it continues one.
      if (kind !== previous && kind !== SPACE) quarters += 1;
      previous = kind;
    }
    return Math.ceil(quarters / 4);
  },
};

const SPACE = 0;
const LETTER = 1;
const DIGIT = 2;
const SYMBOL = 3;
const ALPHABET = 4;
const IDEOGRAPH = 5;
/** Quarter tokens per character, by kind. */
const COST: readonly number[] = [0.3, 0.75, 1.4, 2, 1.6, 3];

function scriptOf(code: number): number {
  if (code <= 32) return SPACE;
  if (code < 128) {
    if (code >= 48 && code <= 57) return DIGIT;
    const lower = code | 32;
    return lower >= 97 && lower <= 122 ? LETTER : SYMBOL;
  }
  return code < 0x2e80 ? ALPHABET : IDEOGRAPH;
}
