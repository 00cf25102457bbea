import { substanceOf } from '../language/names.ts';
import type { Vocabulary } from '../language/terms.ts';
import type { Entry, SummedEntry } from '../record/entry.ts';
import { type Emphasis, emphasisAt } from './emphasis.ts';
import { LEARNED } from './learned.ts';
import { inContext, isSpeaker, PASSAGE_FEATURES } from './passage-features.ts';
import { type Learned, worthOf } from './score.ts';
import { type Survey, survey } from './survey.ts';
import { TERM_FEATURES } from './term-features.ts';
import { WEIGHTS } from './weights.ts';

/** A passage with everything its worth depends on: its worth as a statement, and the terms it would cover. */
export interface WeighedPassage {
  /** Index of its entry, and of the passage in it; -1 is the entry's heading alone. */
  readonly entry: number;
  readonly index: number;
  /** Number of its text: two passages with the same words have the same one. */
  readonly text: number;
  /** Number of its shape: lines that differ only in names, paths and numbers have the same one. */
  readonly shape: number;
  readonly terms: readonly number[];
  /** Worth of saying this at all, whatever words it uses. */
  readonly statement: number;
  /** Share of that worth that remains when the view says all its terms already. */
  readonly repeated: number;
  /** Estimated tokens of the passage as rendered. */
  readonly tokens: number;
}

export interface WeighedHeading {
  readonly text: number;
  readonly terms: readonly number[];
  readonly tokens: number;
}

export interface Weighed {
  readonly entries: readonly Entry[];
  readonly passages: readonly WeighedPassage[];
  /** One for each entry. */
  readonly headings: readonly WeighedHeading[];
  /** Weight of each term. A term counts once for the whole view. */
  readonly termWeights: Float64Array;
  /** How many different texts there are. */
  readonly texts: number;
  /** How many different shapes there are. */
  readonly shapes: number;
  readonly vocabulary: Vocabulary;
}

/** Learned worth of passages and of terms. */
export interface LearnedWorth {
  readonly passages: Learned;
  readonly terms: Learned;
}

/** For estimates only: fitting measures the real view. */
const CHARS_PER_TOKEN = 3.7;
/** `#12 ` and a line break. */
const HEADING_OVERHEAD_TOKENS = 4;

/** Weighs everything a history says by what was learned: statements average 1, terms `WEIGHTS.term`. */
export function weigh(entries: readonly Entry[], learned: LearnedWorth = LEARNED): Weighed {
  const surveyed = survey(entries);
  const statements = averaging(1, statementWorths(surveyed, learned.passages));
  const headings: WeighedHeading[] = [];
  const passages = surveyed.passages.map(({ entry, index, text, shape, terms, words }, at): WeighedPassage => {
    const statement = statements[at] ?? 0;
    if (index < 0) {
      headings.push({ text, terms, tokens: estimate(words) + HEADING_OVERHEAD_TOKENS });
      return { entry, index, text, shape, terms: [], statement, repeated: 1, tokens: 0 };
    }
    const tokens = estimate(words) + WEIGHTS.passageTokens;
    return { entry, index, text, shape, terms, statement, repeated: WEIGHTS.repeated.quote, tokens };
  });
  return {
    entries,
    passages,
    headings,
    termWeights: averaging(WEIGHTS.term, termWorths(surveyed, learned.terms)),
    texts: surveyed.texts.length,
    shapes: surveyed.shapes.length,
    vocabulary: surveyed.vocabulary,
  };
}

function statementWorths(surveyed: Survey, learned: Learned): Float64Array {
  const worth = worthOf(learned, PASSAGE_FEATURES);
  return Float64Array.from(surveyed.passages, (passage) => {
    const item = inContext(surveyed, passage);
    return isSpeaker(item) ? 0 : worth(item);
  });
}

function termWorths(surveyed: Survey, learned: Learned): Float64Array {
  const { vocabulary, terms } = surveyed;
  const worth = worthOf(learned, TERM_FEATURES);
  return Float64Array.from(terms, (uses, term) =>
    uses.entries === 0
      ? 0
      : worth({ survey: surveyed, uses, text: vocabulary.textOf(term), sort: vocabulary.sortOf(term) }),
  );
}

/** The values, scaled so that their mean is the one given. */
function averaging(mean: number, values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum === 0 ? values : values.map((value) => (value * mean * values.length) / sum);
}

/** The same history, with factors for passages that state critical facts. */
export function emphasize(weighed: Weighed, emphasis: Emphasis): Weighed {
  const passages = weighed.passages.map((passage) => {
    const entry = weighed.entries[passage.entry] as Entry;
    const factor = emphasisAt(emphasis, entry, passage.index);
    // A call without its output says little, so its heading gets emphasis only after it was crowded out.
    const silent = passage.index < 0 && entry.type === 'did' && factor !== WEIGHTS.emphasis.first;
    return factor === 1 || silent ? passage : { ...passage, statement: passage.statement * factor };
  });
  return { ...weighed, passages };
}

/** The same history, with summary lines behind its entries. */
export function withLines(weighed: Weighed, lines: readonly SummedEntry[]): Weighed {
  const passages = [...weighed.passages];
  const headings = [...weighed.headings];
  let { texts, shapes } = weighed;
  for (const [at, line] of lines.entries()) {
    const entry = weighed.entries.length + at;
    headings.push({ text: texts++, terms: [], tokens: HEADING_OVERHEAD_TOKENS });
    for (const [index, { text }] of line.passages.entries())
      passages.push({
        entry,
        index,
        text: texts++,
        shape: shapes++,
        terms: weighed.vocabulary.knownTerms(text),
        statement: lineWorth(line, text),
        repeated: WEIGHTS.repeated.summary,
        tokens: estimate(text) + WEIGHTS.passageTokens,
      });
  }
  return { ...weighed, entries: [...weighed.entries, ...lines], passages, headings, texts, shapes };
}

/** A summary line counts by the names in it: a quote is better than a vague line. */
function lineWorth({ factor }: SummedEntry, text: string): number {
  const { worth, vague } = WEIGHTS.line;
  return worth * factor * (vague + (1 - vague) * substanceOf(text));
}

function estimate(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
