import { isLookup } from './calls.ts';
import { classify, type PassageKind, PROSE } from './classify.ts';
import type { Entry, Passage, Voice } from './entry.ts';
import { Vocabulary } from './terms.ts';

/** A passage with what it is worth: its own weight as a statement, and the terms it would cover. */
export interface WeighedPassage {
  /** Index of its entry, and of the passage in it; -1 is the entry's heading alone. */
  readonly entry: number;
  readonly index: number;
  readonly kind: PassageKind;
  readonly terms: readonly number[];
  /** Worth of saying this at all, whatever words it uses. */
  readonly statement: number;
  /** Estimated tokens of the passage as rendered. */
  readonly tokens: number;
}

export interface Weighed {
  readonly entries: readonly Entry[];
  readonly passages: readonly WeighedPassage[];
  readonly headings: readonly { readonly terms: readonly number[]; readonly tokens: number }[];
  /** Worth of covering each term once. */
  readonly termWeights: Float64Array;
  readonly vocabulary: Vocabulary;
}

export interface WeighTable {
  readonly voice: Readonly<Record<Voice, number>>;
  readonly statement: Readonly<Record<Voice, number>>;
  readonly kind: Readonly<Record<PassageKind, number>>;
  readonly name: number;
  readonly number: number;
  readonly word: number;
  readonly reuse: number;
  readonly closing: number;
  readonly pasted: number;
  readonly literal: number;
  readonly overhead: number;
  readonly firstError: number;
  readonly shortOutput: number;
  readonly prose: number;
  readonly order: number;
}

export const WEIGHTS: WeighTable = {
  /** Who says a term decides what covering it is worth. */
  voice: {
    user: 3,
    rules: 0.9,
    answer: 1.6,
    assistant: 2.6,
    host: 0.7,
    argument: 1,
    removed: 0.2,
    output: 0.5,
    content: 0.15,
  },
  statement: {
    user: 10,
    rules: 1.6,
    answer: 1.5,
    assistant: 4,
    host: 0.8,
    argument: 1.1,
    removed: 0,
    output: 0.6,
    content: 0.1,
  },
  kind: {
    constraint: 2.6,
    decision: 1.6,
    cause: 1.8,
    error: 1.3,
    outcome: 1.8,
    todo: 1.4,
    question: 1.1,
    filler: 0.3,
    plain: 1,
  },
  name: 1.6,
  number: 0.3,
  word: 0.6,
  reuse: 0.25,
  closing: 1.5,
  pasted: 0.4,
  literal: 1.6,
  overhead: 4,
  firstError: 4,
  shortOutput: 3,
  prose: 1.5,
  order: 2.8,
};

const CHARS_PER_TOKEN = 3.7;

export function weigh(entries: readonly Entry[], table: WeighTable = WEIGHTS): Weighed {
  const vocabulary = new Vocabulary();
  const passages: WeighedPassage[] = [];
  const headings: { terms: readonly number[]; tokens: number }[] = [];
  const statistics = new TermStatistics();
  for (const [index, entry] of entries.entries()) {
    const headingTerms = vocabulary.terms(entry.heading);
    headings.push({ terms: headingTerms, tokens: estimate(entry.heading) + 4 });
    statistics.see(headingTerms, index, table.voice.argument);
    passages.push({
      entry: index,
      index: -1,
      kind: 'plain',
      terms: [],
      statement: entry.note?.weight ?? (entry.type === 'did' ? headingWorth(entry) : 0),
      tokens: 0,
    });
    let errors = 0;
    for (const [at, passage] of entry.passages.entries()) {
      const terms = vocabulary.terms(passage.text);
      statistics.see(terms, index, table.voice[passage.voice]);
      const weighed = weighPassage({ entry, index, passage, at, terms, table, errors });
      if (weighed.kind === 'error') errors++;
      passages.push(weighed);
    }
  }
  return {
    entries,
    passages,
    headings,
    termWeights: statistics.weights(vocabulary, entries.length, table),
    vocabulary,
  };
}

function headingWorth(entry: Entry): number {
  if (entry.failed) return 1.5;
  switch (entry.action?.verb) {
    case 'write':
    case 'edit':
    case 'delete':
    case 'move':
      return 1.5;
    case 'shell':
      return isLookup(entry.action) ? 0.2 : 1.2;
    default:
      return 0.2;
  }
}

interface PassageInput {
  readonly entry: Entry;
  readonly index: number;
  readonly passage: Passage;
  readonly at: number;
  readonly terms: readonly number[];
  readonly table: WeighTable;
  /** Error lines of the same entry before this one. */
  readonly errors: number;
}

function weighPassage({ entry, index, passage, at, terms, table, errors }: PassageInput): WeighedPassage {
  const kind = classify(passage.text, passage.voice);
  let statement = table.statement[passage.voice] * table.kind[kind];
  // A user who pastes a document says less with each line than one who types a sentence.
  if (passage.voice === 'user' && entry.passages.length > 12)
    statement *= Math.max(table.pasted, 12 / entry.passages.length);
  if (entry.closing && passage.voice === 'assistant') statement *= table.closing;
  // The first line of a failure says what failed; the tenth says it again.
  if (passage.voice === 'output' && kind === 'error') statement *= 1 + table.firstError / (1 + errors);
  // A command that says little says its result.
  if (passage.voice === 'output') statement *= 1 + table.shortOutput / entry.passages.length;
  if (passage.voice === 'argument' && PROSE.test(passage.text)) statement *= table.prose;
  if (passage.voice === 'argument' && kind === 'constraint' && ORDER.test(passage.text.replaceAll('**', '')))
    statement *= table.order;
  if (passage.voice === 'argument' && LITERAL.test(passage.text)) statement *= table.literal;
  return { entry: index, index: at, kind, terms, statement, tokens: estimate(passage.text) + table.overhead };
}

/** Comments and messages for people: the part of code that says what it is for. */
const LITERAL = /(?:^|\s)(?:\/\/|#|\*|--)\s+\w+\s\w+|["'`][A-Z][^"'`]{12,}["'`]/;

const ORDER = /^(?:[-*\s]|\d+\.)*No\b|\b(?:never|must(?:n't)?|do not|don't|not allowed|only)\b/i;

function estimate(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** How often, by whom and how late each term is used. */
class TermStatistics {
  readonly #count: number[] = [];
  readonly #last: number[] = [];
  readonly #voice: number[] = [];
  readonly #spoken: number[] = [];

  see(terms: readonly number[], entry: number, voice: number): void {
    for (const term of terms) {
      if (this.#last[term] !== entry) {
        this.#count[term] = (this.#count[term] ?? 0) + 1;
        if (voice >= 1) this.#spoken[term] = (this.#spoken[term] ?? 0) + 1;
        this.#last[term] = entry;
      }
      if (voice > (this.#voice[term] ?? 0)) this.#voice[term] = voice;
    }
  }

  weights(vocabulary: Vocabulary, entries: number, table: WeighTable): Float64Array {
    const weights = new Float64Array(vocabulary.size);
    const scale = Math.log(entries + 2);
    for (let term = 0; term < weights.length; term++) {
      const rarity = Math.max(0.05, Math.log((entries + 2) / (this.#count[term] ?? 1)) / scale);
      const reuse = 1 + table.reuse * Math.min(6, (this.#spoken[term] ?? 1) - 1);
      weights[term] = table[vocabulary.sortOf(term)] * rarity * reuse * (this.#voice[term] ?? 0);
    }
    return weights;
  }
}
