import { toolResultsOf } from '../../../core/conversation/message.ts';
import { valuesIn } from '../../../core/facts/values.ts';
import type { Transcript } from '../check/transcript.ts';
import type { ProbeCandidate } from './candidate.ts';
import { gapAt } from './gap.ts';
import { KINDS, NOUNS } from './values.ts';

/** Output is long and most of it is never used again. These bounds keep the search short. */
const MOST_LINES = 400;
const LONGEST_LINE = 400;
const MOST_OF_AN_OUTPUT = 3;
const MOST_VALUES = 24;
const SHORTEST_VALUE = 4;

/** Proposes values from tool output. Values that the assistant used again come first, because they clearly mattered. */
export function outputCandidates(transcript: Transcript): readonly ProbeCandidate[] {
  return transcript.messages.flatMap((message, at) => {
    if (transcript.regions[at] !== 'folded' || toolResultsOf(message).length === 0) return [];
    return outputOf(at, transcript).slice(0, MOST_OF_AN_OUTPUT);
  });
}

function outputOf(at: number, transcript: Transcript): readonly ProbeCandidate[] {
  const text = transcript.texts[at] ?? '';
  const found: ProbeCandidate[] = [];
  let lines = 0;
  let looked = 0;
  // JSON output holds its lines as one, with `\\n` between them.
  for (const { 0: line, index } of text.matchAll(/(?:(?!\\n|\n)[\s\S])+/g)) {
    if (++lines > MOST_LINES || looked > MOST_VALUES) break;
    if (NOISE.test(line)) continue;
    for (const { value, sort } of line.length > LONGEST_LINE ? [] : valuesIn(line)) {
      if (value.length < SHORTEST_VALUE || sort === 'mail') continue;
      looked += 1;
      const isKeyed = sort === 'variable' || sort === 'setting';
      const kind = isKeyed && /^[\d.,]+%?$/.test(value) ? 'number' : (KINDS[sort] ?? 'identifier');
      const worth = isUsedAfter(value, at, transcript) ? USED : UNUSED;
      const gap = { value, kind, noun: NOUNS[sort] ?? 'value', at, start: index + line.indexOf(value), worth };
      const candidate = gapAt(gap, transcript);
      if (candidate !== null) found.push({ ...candidate, prefix: 'o' });
    }
  }
  return found.toSorted((one, other) => other.worth - one.worth);
}

/** Lines of a diff that name blobs or positions. */
const NOISE = /^(?:index [0-9a-f]+\.\.|@@ )/;

/** Worth of a value that was used again; other values are asked for only when there is nothing better. */
const USED = 2;
const UNUSED = 0.5;

function isUsedAfter(value: string, at: number, transcript: Transcript): boolean {
  return transcript.texts.some(
    (text, message) => message > at && transcript.messages[message]?.role === 'assistant' && text.includes(value),
  );
}
