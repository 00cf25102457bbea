import { contradicted, type Found, lost, type Matcher, normalised, VERBATIM } from './found.ts';
import {
  type Boundary,
  findAt,
  type Haystack,
  type Place,
  placesOf,
  plainText,
  sentenceAround,
  type Word,
  wordBoundary,
  wordsOf,
} from './haystack.ts';

/** Words without meaning of their own. Negations, bounds and numbers are not among them. */
const EMPTY: ReadonlySet<string> = new Set(
  'the a an and or of to in on at for with by is are was were be been it its this that these those as from we you i he she they our your my their will would should could can may has have had do does did so then than there here also just now please what which who how why when where per into'.split(
    ' ',
  ),
);

export function isContent(stem: string): boolean {
  return !EMPTY.has(stem);
}

/** The stretch of a text that covers most of a value. */
export interface Window extends Place {
  /** Share of the value's words, from 0 to 1. */
  readonly share: number;
}

/** Finds the stretch of a text, about as long as the value, that holds most of its words. It slides a window, so it takes linear time. */
export function bestWindow(value: readonly string[], hay: Haystack, stretch: number): Window {
  const count = createWordCount(value);
  const length = Math.max(value.length, Math.ceil(value.length * stretch));
  let met = 0;
  let best: Window = { share: 0, start: 0, end: 0 };
  const content: Word[] = hay.words.filter(({ stem }) => isContent(stem));
  for (const [index, word] of content.entries()) {
    met += count(word.stem, 1);
    const left = content[index - length];
    if (left !== undefined) met += count(left.stem, -1);
    const share = value.length === 0 ? 0 : met / value.length;
    if (share > best.share)
      best = { share, start: (content[Math.max(0, index - length + 1)] as Word).start, end: word.end };
  }
  return best;
}

/** Counts the value's words in the window. Returns the change in the number of matched words when one enters (1) or leaves (-1). */
function createWordCount(value: readonly string[]): (stem: string, by: 1 | -1) => number {
  const need = new Map<string, number>();
  for (const stem of value) need.set(stem, (need.get(stem) ?? 0) + 1);
  const have = new Map<string, number>();
  return (stem, by) => {
    const wanted = need.get(stem);
    if (wanted === undefined) return 0;
    const before = have.get(stem) ?? 0;
    have.set(stem, before + by);
    return Math.min(before + by, wanted) - Math.min(before, wanted);
  };
}

export function contentOf(plain: string): readonly string[] {
  return wordsOf(plain)
    .map(({ stem }) => stem)
    .filter(isContent);
}

/** Finds the value verbatim, or apart from case, spaces and punctuation; null when neither occurs. */
export function exactly(value: string, hay: Haystack, boundary: Boundary = wordBoundary): Found | null {
  if (findAt(hay.text, value, boundary) >= 0) return VERBATIM;
  const plain = plainText(value).toLowerCase();
  return findAt(hay.lower, plain, boundary) >= 0 ? normalised('the same but for case, blanks and marks') : null;
}

/** Shorter values must match exactly, because two words occur together by chance. */
const LEAST_WORDS = 3;
const PROSE: WindowRule = { least: 0.8, stretch: 1.3 };

/** Matches sentences: verbatim, or by most of their words within a stretch of about their length, negations and numbers included. */
export const matchProse: Matcher = (value, hay) => exactly(value, hay) ?? inWindow(value, hay, PROSE);

interface WindowRule {
  /** Share of the value's words that the window must hold, from 0 to 1. */
  readonly least: number;
  /** Length of the window, as a multiple of the value's length. */
  readonly stretch: number;
}

function inWindow(value: string, hay: Haystack, { least, stretch }: WindowRule): Found {
  const wanted = contentOf(plainText(value));
  const best = bestWindow(wanted, hay, stretch);
  const said = hay.plain.slice(best.start, best.end);
  const near = best.share === 0 ? 'not there' : `${Math.round(best.share * 100)} % of its words in: ${cut(said)}`;
  if (wanted.length < LEAST_WORDS) return inARow(value, hay) ?? lost(near);
  if (best.share < least) return lost(near);
  const inside = new Set(contentOf(said));
  const firm = wanted.filter(
    (stem) => /\d/.test(stem) || /^(?:not?|never|nothing|none|without|\p{L}+n't)$/u.test(stem),
  );
  const missing = firm.find((stem) => !inside.has(stem));
  return missing === undefined ? normalised(`as ${cut(said)}`) : lost(`without \`${missing}\`: ${cut(said)}`);
}

/** Finds a few consecutive words by their stems: `fridays` matches `Friday`. */
function inARow(value: string, { words, plain }: Haystack): Found | null {
  const wanted = wordsOf(plainText(value)).map(({ stem }) => stem);
  const [first] = wanted;
  if (first === undefined) return null;
  for (const [index, word] of words.entries()) {
    if (word.stem !== first) continue;
    const last = words[index + wanted.length - 1];
    if (last !== undefined && wanted.every((stem, offset) => words[index + offset]?.stem === stem))
      return normalised(`as ${cut(plain.slice(word.start, last.end))}`);
  }
  return null;
}

export function cut(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

const CODE =
  /\b(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|E[A-Z]{4,}|[A-Z]{1,4}-?\d{3,6}|\w*(?:Error|Exception|Failure)|[45]\d\d)\b/g;
const ERROR: WindowRule = { least: 0.9, stretch: 1.5 };

/** Matches errors: verbatim, or by nine of ten words, including every code and exception name. */
export const matchError: Matcher = (value, hay) => {
  const exact = exactly(value, hay);
  if (exact !== null) return exact;
  const found = inWindow(value, hay, ERROR);
  if (found.outcome === 'lost') return found;
  const missing = (value.match(CODE) ?? []).find((code) => findAt(hay.plain, code, wordBoundary) < 0);
  return missing === undefined ? found : lost(`without the code \`${missing}\``);
};

const EXIT =
  /\s*(?:→|->|;|,|\()?\s*(?:exit(?:ed)?(?: with)?(?: code| status)?:?\s*(\d+)|\b(failed|ok|succeeded|passed))\)?\s*$/i;

/** Matches commands: the program, its first argument and most of the rest on one line, and the exit status when the value has one. */
export const matchCommand: Matcher = (value, hay) => {
  const exact = exactly(value, hay);
  if (exact !== null) return exact;
  const end = EXIT.exec(value);
  const command = end === null ? value : value.slice(0, end.index);
  const [program = '', first, ...rest] = command.split(/\s+/).filter((word) => word !== '');
  const start = first === undefined ? program : `${program} ${first}`;
  let near = '';
  for (const at of placesOf(hay.plain, start)) {
    if (!wordBoundary(hay.plain, at, at + start.length)) continue;
    const line = hay.plain.slice(at, at + command.length * 2 + 40);
    const said = rest.filter((word) => findAt(line, word, wordBoundary) >= 0).length;
    near ||= line;
    if (said < rest.length * (2 / 3)) continue;
    if (end === null || saysEnd(hay.plain.slice(at, at + command.length + 400), end))
      return normalised(`as ${cut(line)}`);
  }
  return lost(near === '' ? 'not there' : `the nearest command is ${cut(near)}`);
};

function saysEnd(text: string, [, code, word = '']: RegExpExecArray): boolean {
  if (code !== undefined) return new RegExp(`exit(?:ed)?(?: with)?(?: code| status)?:?\\s*${code}\\b`, 'i').test(text);
  return /failed/i.test(word)
    ? /fail|exit(?: code| status)?:? [1-9]/i.test(text)
    : !/fail|exit code:? [1-9]/i.test(text);
}

const DONE = /\b(?:done|complete[d]?|finished|merged|closed|fixed|resolved|shipped|\[x\])/i;
const OPEN =
  /\b(?:open|pending|todo|to do|next|remaining|waits?|waiting|not (?:yet|started|done|pushed)|still|later|blocked|in progress)\b|\[ \]/i;

/** Matches tasks: the subject, unless its last mention has the opposite status. */
export const matchTodo: Matcher = (value, hay, context) => {
  const found = exactly(value, hay) ?? matchProse(value, hay, context);
  const status = DONE.test(value) ? 'done' : OPEN.test(value) ? 'open' : null;
  const item = value.match(/[A-Z]{2,}-\d+|#\d+/)?.[0] ?? plainText(value).replace(/\s*[[(:-].*$/, '');
  const last = status === null ? -1 : hay.plain.lastIndexOf(item);
  if (last < 0) return found;
  const sentence = sentenceAround(hay.plain, { start: last, end: last + item.length });
  const [own, other] = status === 'done' ? [DONE, OPEN] : [OPEN, DONE];
  return other.test(sentence) && !own.test(sentence) ? contradicted(`last said as: ${cut(sentence)}`) : found;
};
