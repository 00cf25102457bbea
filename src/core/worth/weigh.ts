import { classify, type PassageKind, PROSE } from '../language/classify.ts';
import { Vocabulary } from '../language/terms.ts';
import type { Voice } from '../language/voice.ts';
import { isLookup } from '../record/calls.ts';
import type { Entry, Passage } from '../record/entry.ts';
import { TermStatistics } from './statistics.ts';
import { WEIGHTS, type WeightTable } from './weights.ts';

/** A passage with what it is worth: its own worth as a statement, and the terms it would cover. */
export interface WeighedPassage {
  /** Index of its entry, and of the passage in it; -1 is the entry's heading alone. */
  readonly entry: number;
  readonly index: number;
  /** Number of its text: two passages with the same words have the same one. */
  readonly text: number;
  readonly terms: readonly number[];
  /** Worth of saying this at all, whatever words it uses. */
  readonly statement: number;
  /** Share of that worth that is left when the view says all its terms already. */
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
  /** Worth of covering each term once. */
  readonly termWeights: Float64Array;
  /** How many different texts there are. */
  readonly texts: number;
}

/** Estimates only: what is really kept is measured when a plan is applied. */
const CHARS_PER_TOKEN = 3.7;
/** `#12 ` and a line break. */
const HEADING_OVERHEAD_TOKENS = 4;

/** How much more passages count that must not be crowded out: by number of the message, then by passage. */
export type Emphasis = ReadonlyMap<number, ReadonlyMap<number, number>>;
const NOTHING: Emphasis = new Map();
/** The factor of what comes before everything else, the mere mention of a call included. */
export const FIRST = 1_000;

/** Weighs everything a history says: who says it, how it is meant, how specific it is and how often it is used again. */
export function weigh(entries: readonly Entry[], must: Emphasis = NOTHING, table: WeightTable = WEIGHTS): Weighed {
  const vocabulary = new Vocabulary();
  const statistics = new TermStatistics();
  const texts = new Map<string, number>();
  const textOf = (text: string): number => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size);
    return texts.size - 1;
  };
  const passages: WeighedPassage[] = [];
  const headings: WeighedHeading[] = [];
  for (const [entryIndex, entry] of entries.entries()) {
    const heading = {
      text: textOf(entry.heading),
      terms: vocabulary.terms(entry.heading),
      tokens: estimate(entry.heading) + HEADING_OVERHEAD_TOKENS,
    };
    headings.push(heading);
    statistics.see(heading.terms, entryIndex, table.voice.argument);
    passages.push({
      entry: entryIndex,
      index: -1,
      text: heading.text,
      terms: [],
      statement: headingWorth(entry, table) * headingEmphasis(must, entry),
      repeated: 1,
      tokens: 0,
    });
    let errors = 0;
    const shapes = new Map<string, number>();
    for (const [index, passage] of entry.passages.entries()) {
      const kind = classify(passage.text, passage.voice);
      const terms = vocabulary.terms(passage.text);
      const alike = timesPrinted(passage, kind, shapes);
      statistics.see(terms, entryIndex, table.voice[passage.voice] / Math.sqrt(alike));
      const emphasis = entry.type === 'summed' ? 1 : emphasisOn(must, entry, index);
      const statement =
        (emphasis * statementWorth({ entry, passage, kind, errors, table })) / (alike * crowding(entry, index));
      passages.push({
        entry: entryIndex,
        index,
        text: textOf(passage.text),
        terms,
        statement,
        repeated: passage.voice === 'summary' ? table.repeated.summary : table.repeated.quote,
        tokens: estimate(passage.text) + table.passageTokens,
      });
      if (kind === 'error') errors++;
    }
  }
  return {
    entries,
    passages,
    headings,
    termWeights: statistics.weights(vocabulary, entries.length, table),
    texts: texts.size,
  };
}

/** A call that is told without its output says little, so it is only pushed when it is known to have been crowded out. */
function headingEmphasis(must: Emphasis, entry: Entry): number {
  const emphasis = emphasisOn(must, entry, -1);
  return entry.type === 'noted' || emphasis === FIRST ? emphasis : 1;
}

function emphasisOn(must: Emphasis, { number }: Entry, passage: number): number {
  return must.get(number)?.get(passage) ?? 1;
}

/** Lines in the middle of a long output tell less than its first and last ones. */
function crowding({ passages }: Entry, index: number): number {
  const voice = passages[index]?.voice;
  if (voice !== 'output' && voice !== 'content') return 1;
  return 1 + Math.min(index, passages.length - 1 - index) / CROWDED_LINES;
}

/** So far from both ends a line is worth half. */
const CROWDED_LINES = 40;

/** How often an output has printed a line of this shape, this one included: line after line that differs in a number, a name or a path says little more. */
function timesPrinted({ voice, text }: Passage, kind: PassageKind, shapes: Map<string, number>): number {
  if (voice !== 'output' && voice !== 'content') return 1;
  const shape = kind === 'error' ? text.replaceAll(/\d+/g, '0') : shapeOf(text);
  const times = (shapes.get(shape) ?? 0) + 1;
  shapes.set(shape, times);
  return times;
}

/** A line without its names, paths and numbers. What a line gives a value to, or is about, stays: a list of settings says something new each time. */
function shapeOf(text: string): string {
  return text.replaceAll(/\S+/g, (word, at: number) => {
    if (word.includes('=') || word.endsWith(':') || /^\s*=/.test(text.slice(at + word.length, at + word.length + 4)))
      return word.replaceAll(/\d+/g, '0');
    return NAMED.test(word) ? '0' : word;
  });
}

/** A word that is a number, a path or an identifier. */
const NAMED = /[\d/_\\]|\w[.-]\w|[a-z][A-Z]/;

/** Worth of saying that a call was made, or of a note. */
function headingWorth(entry: Entry, { heading }: WeightTable): number {
  if (entry.type === 'said' || entry.type === 'summed') return 0;
  if (entry.note !== null) return entry.note.weight;
  if (entry.failed) return heading.changed;
  switch (entry.action?.verb) {
    case 'write':
    case 'edit':
    case 'delete':
    case 'move':
      return heading.changed;
    case 'shell':
      return isLookup(entry.action) ? heading.other : heading.ran;
    case undefined:
      // A call that an earlier handoff thought worth telling.
      return heading.ran;
    default:
      return heading.other;
  }
}

interface Statement {
  readonly entry: Entry;
  readonly passage: Passage;
  readonly kind: PassageKind;
  /** Error lines of the same entry before this one. */
  readonly errors: number;
  readonly table: WeightTable;
}

function statementWorth({ entry, passage, kind, errors, table }: Statement): number {
  const worth = table.statement[passage.voice] * table.kind[kind];
  return worth * VOICES[passage.voice]({ entry, passage, kind, errors, table });
}

/** What makes a passage of each voice worth more or less than others of its kind. */
const VOICES: Readonly<Record<Voice, (statement: Statement) => number>> = {
  // A user who pastes a document says less with each line than one who types a sentence.
  user: ({ entry, table }) =>
    entry.passages.length > TYPED_PASSAGES ? Math.max(table.pasted, TYPED_PASSAGES / entry.passages.length) : 1,
  // The answer counts more than thinking aloud on the way to it.
  assistant: ({ entry, table }) => (entry.closing ? table.closing : 1),
  argument: ({ passage, kind, table }) =>
    (PROSE.test(passage.text) ? table.prose : 1) *
    (kind === 'constraint' && ORDER.test(passage.text.replaceAll('**', '')) ? table.order : 1) *
    (FOR_PEOPLE.test(passage.text) ? table.forPeople : 1),
  // The first line of a failure says what failed, the tenth says it again; and a command that says little says its result.
  output: ({ entry, kind, errors, table }) =>
    (kind === 'error' ? 1 + table.firstError / (1 + errors) : 1) * (1 + table.shortOutput / entry.passages.length),
  // A line that a model wrote and that passed every check counts by what it names: a vague one tells nothing a quote would not tell better.
  summary: ({ entry, passage }) =>
    (entry.note?.weight ?? 1) * (VAGUE_SHARE + (1 - VAGUE_SHARE) * substanceOf(passage.text)),
  rules: () => 1,
  answer: () => 1,
  host: () => 1,
  removed: () => 1,
  content: () => 1,
};

/** What a line without a single name is worth beside one with two or more. */
const VAGUE_SHARE = 0.5;
const SPECIFIC = /[`"][^`"]{4,}[`"]|\b\w*[a-z][A-Z]\w*|\b(?!(?:e\.g|i\.e|and\/or)\b)[\w-]+[_./]\w+|(?<![#\w])\d{2,}/g;

/** How far a line names things, from 0 to 1 for two or more. */
export function substanceOf(line: string): number {
  return Math.min(1, (line.match(SPECIFIC) ?? []).length / 2);
}

/** A message of more passages than this was pasted, not typed. */
const TYPED_PASSAGES = 12;
/** An order inside a prompt or a document that the agent wrote. */
const ORDER = /^(?:[-*\s]|\d+\.)*No\b|\b(?:never|must(?:n't)?|do not|don't|not allowed|only)\b/i;
/** Comments and messages for people: the part of code that says what it is for. */
const FOR_PEOPLE = /(?:^|\s)(?:\/\/|#|\*|--)\s+\w+\s\w+|["'`][A-Z][^"'`]{12,}["'`]/;

function estimate(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
