import { classify, type PassageKind, PROSE } from '../language/classify.ts';
import { isNameLike, substanceOf } from '../language/names.ts';
import { Vocabulary } from '../language/terms.ts';
import type { Voice } from '../language/voice.ts';
import { isLookup } from '../record/calls/action-kinds.ts';
import type { DidEntry, Entry, Passage } from '../record/entry.ts';
import { type Emphasis, emphasisAt, NO_EMPHASIS } from './emphasis.ts';
import { factWeight } from './judge-facts.ts';
import { TermStatistics } from './statistics.ts';
import { WEIGHTS, type WeightTable } from './weights.ts';

/** A passage with everything its worth depends on: its worth as a statement, and the terms it would cover. */
export interface WeighedPassage {
  /** Index of its entry, and of the passage in it; -1 is the entry's heading alone. */
  readonly entry: number;
  readonly index: number;
  /** Number of its text: two passages with the same words have the same one. */
  readonly text: number;
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
}

/** For estimates only: fitting measures the real view. */
const CHARS_PER_TOKEN = 3.7;
/** `#12 ` and a line break. */
const HEADING_OVERHEAD_TOKENS = 4;

/** Weighs everything a history says, by who says it, how it is meant, how specific it is and how often it is used again. */
export function weigh(
  entries: readonly Entry[],
  emphasis: Emphasis = NO_EMPHASIS,
  table: WeightTable = WEIGHTS,
): Weighed {
  const vocabulary = new Vocabulary();
  const statistics = new TermStatistics(table);
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const passages: WeighedPassage[] = [];
  const headings: WeighedHeading[] = [];
  for (const [at, entry] of entries.entries()) {
    const terms = vocabulary.terms(entry.heading);
    const text = numberOf(entry.heading);
    headings.push({ text, terms, tokens: estimate(entry.heading) + HEADING_OVERHEAD_TOKENS });
    statistics.see({ terms, entry: at, voice: 'argument', alike: 1 });
    const statement = headingWorth(entry, table) * headingEmphasis(emphasis, entry, table);
    passages.push({ entry: at, index: -1, text, terms: [], statement, repeated: 1, tokens: 0 });
    const seen: Seen = { errors: 0, shapes: new Map() };
    for (const [index, passage] of entry.passages.entries()) {
      const kind = classify(passage.text, passage.voice);
      const own = vocabulary.terms(passage.text);
      const alike = timesPrinted(passage, kind, seen.shapes);
      statistics.see({ terms: own, entry: at, voice: passage.voice, alike });
      const stressed = entry.type === 'summed' ? 1 : emphasisAt(emphasis, entry, index);
      const worth = statementWorth({ entry, passage, kind, errors: seen.errors, table });
      passages.push({
        entry: at,
        index,
        text: numberOf(passage.text),
        terms: own,
        statement: (stressed * worth) / (alike * crowding(entry, index, table)),
        repeated: passage.voice === 'summary' ? table.repeated.summary : table.repeated.quote,
        tokens: estimate(passage.text) + table.passageTokens,
      });
      if (kind === 'error') seen.errors++;
    }
  }
  const termWeights = statistics.weights(vocabulary, entries.length);
  return { entries, passages, headings, termWeights, texts: numbers.size };
}

/** Counts over the passages of one entry so far. */
interface Seen {
  errors: number;
  readonly shapes: Map<string, number>;
}

/** A call without its output says little, so its heading gets emphasis only after it was crowded out. */
function headingEmphasis(emphasis: Emphasis, entry: Entry, table: WeightTable): number {
  const factor = emphasisAt(emphasis, entry, -1);
  return entry.type === 'noted' || factor === table.emphasis.first ? factor : 1;
}

/** Lines in the middle of a long output tell less than its first and last ones. */
function crowding({ passages }: Entry, index: number, { crowdedLines }: WeightTable): number {
  if (!isPrinted(passages[index]?.voice)) return 1;
  return 1 + Math.min(index, passages.length - 1 - index) / crowdedLines;
}

function isPrinted(voice: Voice | undefined): boolean {
  return voice === 'output' || voice === 'content';
}

/** How often an output has printed a line of this shape, this one included. Lines that differ only in a number, a name or a path add little. */
function timesPrinted({ voice, text }: Passage, kind: PassageKind, shapes: Map<string, number>): number {
  if (!isPrinted(voice)) return 1;
  const shape = kind === 'error' ? text.replaceAll(/\d+/g, '0') : shapeOf(text);
  const times = (shapes.get(shape) ?? 0) + 1;
  shapes.set(shape, times);
  return times;
}

/** A line without its names, paths and numbers. Keys and subjects stay: a list of settings says something new each time. */
function shapeOf(text: string): string {
  return text.replaceAll(/\S+/g, (word, at: number) => {
    if (word.includes('=') || word.endsWith(':') || /^\s*=/.test(text.slice(at + word.length, at + word.length + 4)))
      return word.replaceAll(/\d+/g, '0');
    return isNameLike(word) ? '0' : word;
  });
}

/** Worth of saying that a call was made, or of a note. */
function headingWorth(entry: Entry, { heading, fact }: WeightTable): number {
  switch (entry.type) {
    case 'said':
    case 'summed':
      return 0;
    case 'noted':
      return factWeight({ kind: entry.kind, status: 'open', grounds: entry }, fact);
    case 'did':
      return callWorth(entry, heading);
  }
}

function callWorth({ action, failed }: DidEntry, heading: WeightTable['heading']): number {
  if (failed) return heading.changed;
  switch (action?.verb) {
    case 'write':
    case 'edit':
    case 'delete':
    case 'move':
      return heading.changed;
    case 'shell':
      return isLookup(action) ? heading.other : heading.ran;
    case undefined:
      // An earlier handoff kept this call, so it was worth a mention.
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

function statementWorth(statement: Statement): number {
  const { passage, kind, table } = statement;
  return table.statement[passage.voice] * table.kind[kind] * CIRCUMSTANCES[passage.voice](statement);
}

/** For each voice, the circumstances that make a passage worth more or less than others of its kind. */
const CIRCUMSTANCES: Readonly<Record<Voice, (statement: Statement) => number>> = {
  // A user who pastes a document says less with each line than one who types a sentence.
  user: ({ entry, table }) =>
    entry.passages.length > table.typedPassages
      ? Math.max(table.pasted, table.typedPassages / entry.passages.length)
      : 1,
  // The answer counts more than thinking aloud on the way to it.
  assistant: ({ entry, table }) => (entry.type === 'said' && entry.closing ? table.closing : 1),
  argument: ({ passage, kind, table }) =>
    (PROSE.test(passage.text) ? table.prose : 1) *
    (kind === 'constraint' && ORDER.test(passage.text.replaceAll('**', '')) ? table.order : 1) *
    (FOR_PEOPLE.test(passage.text) ? table.forPeople : 1),
  // The first error line says what failed, and the tenth repeats it. A short output usually states the result.
  output: ({ entry, kind, errors, table }) =>
    (kind === 'error' ? 1 + table.firstError / (1 + errors) : 1) * (1 + table.shortOutput / entry.passages.length),
  // A summary line counts by the names in it: a quote is better than a vague line.
  summary: ({ entry, passage, table: { line } }) =>
    (entry.type === 'summed' ? entry.factor : 1) * (line.vague + (1 - line.vague) * substanceOf(passage.text)),
  rules: () => 1,
  report: () => 1,
  host: () => 1,
  removed: () => 1,
  content: () => 1,
};

/** An order inside a prompt or a document that the agent wrote. */
const ORDER = /^(?:[-*\s]|\d+\.)*No\b|\b(?:never|must(?:n't)?|do not|don't|not allowed|only)\b/i;
/** Comments and messages for people: the part of code that says what it is for. */
const FOR_PEOPLE = /(?:^|\s)(?:\/\/|#|\*|--)\s+\w+\s\w+|["'`][A-Z][^"'`]{12,}["'`]/;

function estimate(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
