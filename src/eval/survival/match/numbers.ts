import { type Found, lost, type Matcher, normalised, VERBATIM } from './found.ts';
import {
  around,
  type Boundary,
  findAt,
  type Haystack,
  isWordChar,
  type Place,
  plainText,
  stemOf,
  wordsOf,
} from './haystack.ts';
import { nameBoundary } from './names.ts';
import { isContent } from './words.ts';

/** Shorter numbers occur everywhere, so they count only between separators. */
const SHORT = 4;
/** Characters around a number in which its key and unit must occur. */
const WINDOW = 120;
/** Most places of a number to examine. A number that occurs more often proves nothing. */
const MOST_PLACES = 2_000;

/**
 * Matches a number with its unit or key: `250 per minute`, `port 8417`, `96 of 100`. It matches verbatim, or when every number occurs by itself,
 * close to the other words of the value.
 */
export const matchNumber: Matcher = (value, hay, { question = '' }) => {
  const isBare = /^[\d.,_]+%?$/.test(value);
  const key = isBare && value.length < SHORT ? keysOf(question) : [];
  if (isThere(hay.text, value, key)) return VERBATIM;
  const plain = plainText(value);
  if (isThere(hay.plain, plain, key)) return normalised('the same but for blanks and escapes');
  const numbers = [...plain.matchAll(NUMBER)].map((match) => match[0]);
  if (numbers.length === 0) return lost('the value holds no number');
  const others = key.length > 0 ? key : wordStems(plain).filter((stem) => !/^\d/.test(stem));
  return inOtherWords({ numbers, others, isKeyed: key.length > 0 }, hay);
};

const NUMBER = /\d(?:[\d.,_]*\d)?(?:[kKM](?![\p{L}\p{N}_]))?/gu;
const SPACED = /\d{1,3}(?: \d{3})+(?!\d)|\d(?:[\d.,_]*\d)?/g;

function isThere(text: string, value: string, key: readonly string[]): boolean {
  const boundary = value.length < SHORT ? blankBoundary : numberBoundary;
  if (key.length === 0) return findAt(text, value, boundary) >= 0;
  let places = 0;
  return (
    findAt(text, value, (all, start, end) => {
      if (!boundary(all, start, end)) return false;
      places += 1;
      return places <= MOST_PLACES && countNear(all, { start, end }, key) > 0;
    }) >= 0
  );
}

/** True when the number is not part of a longer one, of a name such as `file-12.csv`, or of a measure such as `88ms`. */
const numberBoundary: Boundary = (text, start, end) => {
  if (!nameBoundary(text, start, end)) return false;
  const [first = '', last = ''] = [text[start], text[end - 1]];
  if (/\d/.test(first) && /[.,]/.test(text[start - 1] ?? '') && /\d/.test(text[start - 2] ?? '')) return false;
  return !(/\d/.test(last) && /[,_]/.test(text[end] ?? '') && /\d/.test(text[end + 1] ?? ''));
};

const blankBoundary: Boundary = (text, start, end) => {
  const before = text[start - 1];
  if (before !== undefined && !/[\s("'`=[:>*]/.test(before)) return false;
  if (before === ':' && /\d/.test(text[start - 2] ?? '')) return false;
  return /^(?:$|[\s)\]"'`*]|[.,;:!?%]+(?:[\s)"'`*]|$))/.test(text.slice(end, end + 3));
};

interface WordedNumber {
  readonly numbers: readonly string[];
  /** Stems of the words that must occur nearby. */
  readonly others: readonly string[];
  /** True when those words come from the question; then one of them is enough. */
  readonly isKeyed: boolean;
}

function inOtherWords({ numbers, others, isKeyed }: WordedNumber, hay: Haystack): Found {
  const wanted = numbers.map(amountOf);
  let near = '';
  let places = 0;
  for (const match of hay.plain.matchAll(SPACED)) {
    const end = match.index + match[0].length;
    const place = { start: match.index, end };
    if (amountOf(match[0] + unitOf(hay.plain, end)) !== wanted[0] && amountOf(match[0]) !== wanted[0]) continue;
    if (isWordChar(hay.plain[match.index - 1]) || /[-./]/.test(hay.plain[match.index - 1] ?? '')) continue;
    if (isWordChar(hay.plain[end]) && unitOf(hay.plain, end) === '') continue;
    if (++places > MOST_PLACES) break;
    const rest = hay.plain.slice(Math.max(0, match.index - WINDOW), end + WINDOW);
    const inside = new Set([...rest.matchAll(SPACED)].map((found) => amountOf(found[0])));
    const said = countNear(hay.plain, place, others);
    const enough = isKeyed ? Math.min(1, others.length) : Math.ceil(others.length * 0.6);
    if (wanted.every((number) => inside.has(number)) && said >= enough)
      return normalised(`as ${around(hay.plain, place, 30)}`);
    near ||= around(hay.plain, place, 30);
  }
  return lost(near === '' ? 'no such number' : `the number stands only elsewhere: ${near}`);
}

/** Normalises a number: `10k`, `10 000`, `10,000` and `10_000` are the same. */
function amountOf(text: string): string {
  const factor = /k$/i.test(text) ? 1_000 : /m$/i.test(text) ? 1_000_000 : 1;
  const digits = text.replace(/[km]$/i, '').replaceAll(/[_ ]|,(?=\d{3}(?:\D|$))/g, '');
  const number = Number(digits.replace(',', '.'));
  return Number.isFinite(number) ? String(number * factor) : digits;
}

function unitOf(text: string, end: number): string {
  return /^[kKM](?![\p{L}\p{N}_])/u.test(text.slice(end, end + 2)) ? (text[end] as string) : '';
}

/** Counts how many of the words occur near a place. */
function countNear(text: string, { start, end }: Place, stems: readonly string[]): number {
  const window = new Set(wordStems(text.slice(Math.max(0, start - WINDOW), end + WINDOW)));
  return stems.filter((stem) => window.has(stem)).length;
}

function keysOf(question: string): readonly string[] {
  return [...new Set(wordStems(plainText(question)).filter((stem) => !/^\d+$/.test(stem)))];
}

function wordStems(text: string): readonly string[] {
  return wordsOf(text)
    .flatMap(({ stem }) => (/[._:/-]/.test(stem) ? [stem, ...stem.split(/[._:/-]+/).map(stemOf)] : [stem]))
    .filter(isContent);
}
