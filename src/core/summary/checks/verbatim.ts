import type { Entry } from '../../record/entry.ts';

/** Words in a row that are no coincidence. */
const RUN = 4;

/**
 * How much of each line stands word for word in what was said, from 0 to 1: words in runs of four and more that the source has too, case and
 * signs aside. A line that can be found in its source needs no trust.
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

/** Those of the wanted runs that the source has. The source is read once, however many lines there are. */
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

/** Scripts without spaces between words go sign by sign. */
const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const WORD = new RegExp(`${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{N}_])+`, 'gu');

function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').toLowerCase().match(WORD) ?? [];
}
