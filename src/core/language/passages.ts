import { safeCut } from './cut.ts';

/** A passage is at most this long; longer sentences and lines are cut at a space. */
export const PASSAGE_CHARS = 320;
/** A text this short is one passage: a terse user turn is understood whole or not at all. */
const WHOLE_CHARS = 240;

/** Everything that ends a line. A passage is one line, so that a handoff can be read back line by line. */
const LINE_END = /[\n\r\u2028\u2029]/;

/** A stretch of text that can be quoted on its own. */
export interface Span {
  readonly text: string;
  /** True when it directly follows the span before it in the source, on the same line. */
  readonly joined: boolean;
}

/** Prose: lines, and long lines by sentence. */
export function splitProse(text: string): readonly Span[] {
  const trimmed = text.trim();
  if (trimmed.length <= WHOLE_CHARS && !LINE_END.test(trimmed))
    return trimmed === '' ? [] : [{ text: trimmed, joined: false }];
  const spans: Span[] = [];
  let heading = '';
  for (const raw of trimmed.split(LINE_END)) {
    const line = raw.trim();
    if (isEmptyLine(line)) continue;
    if (/^#{1,6} /.test(line) || /^\*\*[^*]{1,80}\*\*:?$/.test(line)) {
      heading = line.replace(/^#{1,6} /, '').replaceAll('**', '');
      continue;
    }
    for (const [at, sentence] of splitSentences(line).entries()) {
      // A heading says what the lines below it are about, so it stays with the first of them.
      spans.push({ text: at === 0 && heading !== '' ? `${heading}: ${sentence}` : sentence, joined: at > 0 });
    }
    heading = '';
  }
  if (heading !== '') spans.push({ text: heading, joined: false });
  return spans;
}

/** Program output and code: lines, cut when too long. */
export function splitLines(lines: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  for (const text of lines)
    for (const raw of LINE_END.test(text) ? text.split(LINE_END) : [text]) {
      const line = raw.trim();
      if (isEmptyLine(line)) continue;
      for (const [at, piece] of cutLong(line).entries()) spans.push({ text: piece, joined: at > 0 });
    }
  return spans;
}

function isEmptyLine(line: string): boolean {
  return line === '' || !/[\p{L}\p{N}]/u.test(line);
}

function splitSentences(line: string): readonly string[] {
  if (line.length <= WHOLE_CHARS / 2) return [line];
  const pieces = line.split(/(?<=[.!?:;])\s+(?=[\p{Lu}"'`([*])|(?<=[。！？])/u);
  return pieces.flatMap(cutLong);
}

function cutLong(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > PASSAGE_CHARS) {
    const space = rest.lastIndexOf(' ', PASSAGE_CHARS);
    const at = safeCut(rest, space > PASSAGE_CHARS / 2 ? space : PASSAGE_CHARS);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}
