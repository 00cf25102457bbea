import { contentOf } from '../../survival/match/words.ts';
import type { ProbeFactKind } from '../../types.ts';
import type { Transcript } from '../check/transcript.ts';
import { type ProbeCandidate, placedFact } from './candidate.ts';

const AROUND = 70;
/** Words that must surround a gap to distinguish it from others. */
const LEAST_AROUND = 3;

export interface Gap {
  readonly value: string;
  readonly kind: ProbeFactKind;
  readonly noun: string;
  readonly at: number;
  readonly start: number;
  readonly worth: number;
}

/** Replaces a value by a gap in its line, when the words around it occur nowhere else. */
export function gapAt({ value, kind, noun, at, start, worth }: Gap, transcript: Transcript): ProbeCandidate | null {
  const text = transcript.texts[at] ?? '';
  if (start < 0) return null;
  const before = lastLine(text.slice(Math.max(0, start - AROUND), start));
  const after = firstLine(text.slice(start + value.length, start + value.length + AROUND));
  const isTold = contentOf(`${before} ${after}`).length >= LEAST_AROUND && !`${before}${after}`.includes(value);
  const longer = before.length >= after.length ? before : after;
  const placed = isTold ? placedFact({ value, kind }, transcript) : null;
  if (placed === null || transcript.texts.filter((each) => each.includes(longer)).length !== 1) return null;
  const question = `Which ${noun} stands in the gap: “${before}____${after}”?`;
  const spans = [{ message: at, start, end: start + value.length }];
  return { prefix: 'i', type: 'recall', question, expected: [{ ...placed, spans }], message: at, worth };
}

function lastLine(text: string): string {
  const line = text.slice(
    Math.max(text.lastIndexOf('\n') + 1, text.lastIndexOf('\\n') + 2 * Number(text.includes('\\n'))),
  );
  return line.length < AROUND ? line.trimStart() : line.slice(line.indexOf(' ') + 1);
}

function firstLine(text: string): string {
  const [line = ''] = text.split(/\n|\\n/, 1);
  return line.length < AROUND ? line.trimEnd() : line.slice(0, Math.max(0, line.lastIndexOf(' ')));
}
