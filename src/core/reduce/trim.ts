import type { Ref } from '../conversation/ref.ts';
import { classify } from '../language/classify.ts';
import { safeCut } from '../language/cut.ts';
import { outputLines } from '../record/calls/output.ts';
import { trimLine } from './one-liner.ts';

/** Shares of the room for the beginning and for the end; what is left is for lines in between that matter. */
const HEAD_SHARE = 0.4;
const TAIL_SHARE = 0.35;

/**
 * The beginning and the end of a long output, and the lines in between that report an error or a result. A pure function of the text: the same
 * output is always trimmed to the same bytes.
 */
export function trimText(text: string, chars: number, ref: Ref): string {
  if (text.length <= chars) return text;
  const lines = outputLines(text).map((line) =>
    line.length > LINE_CHARS ? `${line.slice(0, safeCut(line, LINE_CHARS))}…` : line,
  );
  // The note has its place within the room, so that what comes out is never trimmed again.
  const room = chars - trimLine(lines.length, ref).length - 1;
  const head = takeWithin(lines, room * HEAD_SHARE);
  const tail = takeWithin(lines.slice(head.length).reverse(), room * TAIL_SHARE).reverse();
  const middle = lines.slice(head.length, lines.length - tail.length);
  const telling = takeWithin(middle.filter(isTelling), room * (1 - HEAD_SHARE - TAIL_SHARE));
  const left = middle.length - telling.length;
  const trimmed = [...head, trimLine(left, ref), ...telling, ...tail].join('\n');
  return trimmed.length < text.length ? trimmed : text;
}

/** One endless line must not take the place of all others. */
const LINE_CHARS = 400;

function isTelling(line: string): boolean {
  const kind = classify(line, 'output');
  return kind === 'error' || kind === 'outcome';
}

function takeWithin(lines: readonly string[], chars: number): string[] {
  const taken: string[] = [];
  let left = chars;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    taken.push(line);
  }
  return taken;
}
