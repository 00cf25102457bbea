import type { Entry } from '../../record/entry.ts';

/** Words in a row that are no coincidence. */
const RUN = 4;

/**
 * The share of each line that is in its source word for word, from 0 to 1: words in runs of four or more that the source has too, ignoring case
 * and punctuation. A line that can be found in its source needs no trust.
 */
export function verbatimShares(lines: readonly string[], source: readonly Entry[]): readonly number[] {
  const split = lines.map((line) => wordsOf(line.replaceAll(/\(?#\d+(?:,\s*#\d+)*\)?/g, '')));
  const found = runsFound(new Set(split.flatMap(runsOf)), source);
  return split.map((words) => {
    const covered = new Uint8Array(words.length);
    for (const [at, run] of runsOf(words).entries()) if (found.has(run)) covered.fill(1, at, at + RUN);
    return words.length === 0 ? 0 : covered.reduce((sum, word) => sum + word, 0) / words.length;
  });
}

/** The wanted runs that the source has. It is read once, however many lines there are. */
function runsFound(wanted: ReadonlySet<string>, source: readonly Entry[]): ReadonlySet<string> {
  const firsts = new Set([...wanted].map((run) => run.slice(0, run.indexOf(' '))));
  const found = new Set<string>();
  for (const entry of source) {
    const words = wordsOf(entry.passages.map(({ text }) => text).join(' '));
    for (const [at, word] of words.entries()) {
      if (!firsts.has(word)) continue;
      const run = words.slice(at, at + RUN).join(' ');
      if (wanted.has(run)) found.add(run);
    }
  }
  return found;
}

function runsOf(words: readonly string[]): readonly string[] {
  return Array.from({ length: Math.max(0, words.length - RUN + 1) }, (_, at) => words.slice(at, at + RUN).join(' '));
}

/** Scripts without spaces between words are split into single characters. */
const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const WORD = new RegExp(`${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{N}_])+`, 'gu');

function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').toLowerCase().match(WORD) ?? [];
}
