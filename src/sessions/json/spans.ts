/** The place of a value in a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Spans of the elements of the array that opens at `start`. The text must be valid JSON, which the caller has parsed. One pass without recursion, so
 * that depth cannot overflow the stack.
 */
export function elementSpans(text: string, start: number): readonly Span[] {
  const spans: Span[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    spans.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return spans;
}

/** Spans of the values of the object that opens at `start`. The last of several equal keys counts, as in `JSON.parse`. */
export function memberSpans(text: string, start: number): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== '}') {
    const keyEnd = endOfValue(text, at);
    const key = String(JSON.parse(text.slice(at, keyEnd)));
    // Skips the colon and the space around it.
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, value);
    spans.set(key, { start: value, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return spans;
}

export function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      at += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      at += 1;
    } else if (depth === 0) return endOfWord(text, at);
    else at += 1;
    if (depth === 0) return at;
  }
  return at;
}

/** The offset after the closing quote. `indexOf` makes long strings cheap. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** A number, `true`, `false` or `null` ends at the first character that cannot be in one. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !DELIMITERS.has(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const DELIMITERS: ReadonlySet<number> = new Set([0x2c, 0x3a, CLOSE_BRACE, CLOSE_BRACKET]);
