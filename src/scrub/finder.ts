/** A literal that was found. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

export interface FinderOptions {
  /** True to ignore case and match only whole words or humps of a word. */
  readonly words: boolean;
}

/** Finds any of many literals in one pass, however many there are; at each place the longest one. */
export type Finder = (text: string, from: number) => Match | null;

/** Literals are looked up by their first characters. */
const KEY_LENGTH = 3;
const HASH_SIZE = 1 << 16;

export function createFinder(literals: readonly string[], { words }: FinderOptions): Finder {
  const fold = words ? inLowerCase : (text: string): string => text;
  const known = [...new Set(literals.map(fold))].filter((literal) => literal.length >= KEY_LENGTH);
  if (known.length === 0) return () => null;
  const filter = new Uint8Array(HASH_SIZE);
  const byLength = new Map<string, Map<number, Set<string>>>();
  for (const literal of known) {
    filter[hashAt(literal, 0)] = 1;
    const key = literal.slice(0, KEY_LENGTH);
    const lengths = byLength.get(key) ?? new Map<number, Set<string>>();
    byLength.set(key, lengths);
    lengths.set(literal.length, (lengths.get(literal.length) ?? new Set()).add(literal));
  }
  const longestFirst = new Map(
    Array.from(byLength, ([key, lengths]) => [key, [...lengths].sort(([left], [right]) => right - left)] as const),
  );
  let lastText = '';
  let lastSource = '';
  return (text, from) => {
    if (lastText !== text) {
      lastText = text;
      lastSource = fold(text);
    }
    const source = lastSource;
    for (let at = from; at + KEY_LENGTH <= source.length; at++) {
      if (filter[hashAt(source, at)] === 0) continue;
      for (const [length, set] of longestFirst.get(source.slice(at, at + KEY_LENGTH)) ?? [])
        if (set.has(source.slice(at, at + length)) && (!words || isWord(text, at, at + length)))
          return { start: at, end: at + length };
    }
    return null;
  };
}

/** Replaces every match from left to right, without overlaps. */
export function replaceFound(text: string, find: Finder, replace: (found: string) => string): string {
  let floor = 0;
  const parts: string[] = [];
  for (let match = find(text, 0); match !== null; match = find(text, floor)) {
    parts.push(text.slice(floor, match.start), replace(text.slice(match.start, match.end)));
    floor = match.end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(floor);
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & (HASH_SIZE - 1);
}

/** Lower case, character by character, so that places in the result are places in the text. */
function inLowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, at) => {
    const small = text.charAt(at).toLowerCase();
    return small.length === 1 ? small : text.charAt(at);
  }).join('');
}

const ESCAPE_BEFORE = /\\[nrtbf]$|\\u[0-9a-fA-F]{4}$|%[0-9a-fA-F]{2}$|\[[0-9;]{0,12}m$/;

/** True for a whole word, or a hump of `camelCase`. The letter that ends an escape (`\n`) does not belong to the word. */
function isWord(text: string, start: number, end: number): boolean {
  return startsWord(text, start) && endsWord(text, start, end);
}

function startsWord(text: string, start: number): boolean {
  const before = text.charAt(start - 1);
  if (start === 0 || !isLetter(before)) return true;
  if (isSmall(before) && !isSmall(text.charAt(start)) && isLetter(text.charAt(start))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, start - 16), start));
}

function endsWord(text: string, start: number, end: number): boolean {
  const after = text.charAt(end);
  if (end === text.length || !isLetter(after)) return true;
  if (isSmall(after)) return false;
  return isSmall(text.charAt(end - 1)) || (isSmall(text.charAt(end + 1)) && !/\p{Ll}/u.test(text.slice(start, end)));
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isSmall(character: string): boolean {
  return /\p{Ll}/u.test(character);
}
