/** A text to look for facts in, prepared once. Every operation on it takes linear time. */
export interface Haystack {
  /** The text as it is. */
  readonly text: string;
  /** The text without JSON escapes, with single spaces, plain quotes and plain dashes. */
  readonly plain: string;
  /** The plain text in lower case. */
  readonly lower: string;
  /** The words of the plain text. */
  readonly words: readonly Word[];
}

/** A place in a text, in characters; `end` is the first character after it. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A word of the plain text: its stem and its place. */
export interface Word extends Place {
  readonly stem: string;
}

/** Prepares a text for looking up many facts. */
export function haystackOf(text: string): Haystack {
  const plain = plainText(text);
  let lower: string | null = null;
  let words: readonly Word[] | null = null;
  return {
    text,
    plain,
    get lower() {
      lower ??= plain.toLowerCase();
      return lower;
    },
    get words() {
      words ??= wordsOf(plain);
      return words;
    },
  };
}

export function plainText(text: string): string {
  return text
    .replaceAll(/\\+(?:[nrt]|u000[9ad])(?![a-z]{2})/g, ' ')
    .replaceAll(/\\+(?=["'`])/g, '')
    .replaceAll(/[‘’‛]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‐‑‒–—]/g, '-')
    .replaceAll(/[*`]{1,3}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const WORD = /[\p{L}\p{N}_$]+(?:[.:/@#%+'-]+[\p{L}\p{N}_$]+)*%?/gu;

export function wordsOf(plain: string): readonly Word[] {
  return Array.from(plain.matchAll(WORD), (match) => ({
    stem: stemOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Removes the commonest endings of plain words. Names and numbers only lose their case. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  return /^\p{L}{5,}$/u.test(lower) ? lower.replace(/(?:ies|ing|ed|es|s|ly)$/, '') : lower;
}

/** Yields every place of a needle, from left to right. */
export function* placesOf(text: string, needle: string): Generator<number> {
  if (needle === '') return;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) yield at;
}

/** Says whether a match from `start` to `end` stands alone, and is not part of something longer. */
export type Boundary = (text: string, start: number, end: number) => boolean;

/** Finds the first place of a needle at a boundary; -1 when there is none. */
export function findAt(text: string, needle: string, boundary: Boundary): number {
  for (const at of placesOf(text, needle)) if (boundary(text, at, at + needle.length)) return at;
  return -1;
}

const LETTER = /[\p{L}\p{N}_$]/u;

export function isWordChar(char: string | undefined): boolean {
  return char !== undefined && LETTER.test(char);
}

/** True when no letter, digit or underscore continues on either side. */
export const wordBoundary: Boundary = (text, start, end) =>
  !(isWordChar(text[start]) && isWordChar(text[start - 1])) && !(isWordChar(text[end - 1]) && isWordChar(text[end]));

/** Returns the words around a place, for people. */
export function around(text: string, { start, end }: Place, chars = 40): string {
  const from = Math.max(0, start - chars);
  const to = Math.min(text.length, end + chars);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`;
}

/** Returns the sentence or line around a place, at most `chars` on each side. */
export function sentenceAround(text: string, { start, end }: Place, chars = 160): string {
  const before = text.slice(Math.max(0, start - chars), start);
  const after = text.slice(end, end + chars);
  const from = Math.max(...[...before.matchAll(/[.!?;]\s|\n/g)].map((match) => match.index + 1), 0);
  const to = after.search(/[.!?;](?:\s|$)|\n/);
  return before.slice(from) + text.slice(start, end) + (to < 0 ? after : after.slice(0, to));
}
