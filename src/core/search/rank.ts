import type { Role } from '../conversation/message.ts';
import type { Section } from './chunks.ts';
import { fitOf, type Hints, hintsOf } from './hints.ts';
import { type QueryWord, wordsOf } from './words.ts';

/** A chunk as it is ranked. */
export interface PlacedChunk {
  /** Index of the message in the history, and of the chunk in the message. */
  readonly message: number;
  readonly chunk: number;
  readonly role: Role;
  readonly section: Section;
  /** Index of the section in the message, and the stretch of the section's text that the chunk is. */
  readonly sectionAt: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface RankedChunk extends PlacedChunk {
  /** Larger is better; comparable within one ranking only. */
  readonly score: number;
}

/**
 * The numbers behind the ranking. `answered`, `content`, `fromUser` and `shape` decide most; the others bring little each, and `time` is there
 * because the question asks for it.
 */
const RANKING = {
  /** How soon repetition of a word stops counting, and how much long chunks are held back, as in BM25. */
  repetition: 0.6,
  length: 0.6,
  /** Exponent of the covered share of the question: several of its words once are worth more than one of them often. */
  coverage: 0.5,
  /** For a word that the chunk itself lacks, but the call of its result has. */
  context: 0.5,
  /** For words of the question that are close to one another. */
  closeness: 0.25,
  /** The share of other scores that a chunk gets: of the chunk next to it, the message it answers, and the message that answers it. */
  beside: 0.15,
  answered: 0.5,
  answering: 0.1,
  /** By speaker. Content that a lookup shows exists outside the history, so questions are rarely about it. */
  user: 1.3,
  assistant: 1.2,
  reasoning: 0.9,
  call: 0.9,
  output: 1,
  content: 0.6,
  /** When the question asks for the user's words. */
  fromUser: 2,
  /** When the chunk has the shape of an answer. */
  shape: 0.4,
  /** When the question asks for the end, or the beginning. */
  time: 0.25,
} as const;

/** Chunks for a question, best first, each text once; the history has at least `size` messages. */
export function rank(
  chunks: readonly PlacedChunk[],
  query: readonly QueryWord[],
  { question, size }: { readonly question: string; readonly size: number },
): readonly RankedChunk[] {
  const looked = withoutRepeats(chunks).map((chunk) => look(chunk, query));
  const worth = wordWorths(query, looked);
  const own = ownScores(looked, worth);
  const hints = hintsOf(question);
  const places = new Map(looked.map(({ chunk }, at) => [placeOf(chunk.message, chunk.chunk), at]));
  const scoreAt = (message: number, chunk: number): number => own[places.get(placeOf(message, chunk)) ?? -1] ?? 0;
  const best = new Map<number, number>();
  for (const [at, { chunk }] of looked.entries())
    best.set(chunk.message, Math.max(best.get(chunk.message) ?? 0, own[at] ?? 0));
  const ranked = looked.map(({ chunk }, at) => {
    const { message, chunk: k, role } = chunk;
    const beside = Math.max(scoreAt(message, k - 1), scoreAt(message, k + 1));
    const answered = (best.get(message - 1) ?? 0) * (role === 'tool' ? 0.5 : 1);
    const lifted =
      RANKING.beside * beside + RANKING.answered * answered + RANKING.answering * (best.get(message + 1) ?? 0);
    return { ...chunk, score: ((own[at] ?? 0) + lifted) * hintFactor(chunk, hints, size) };
  });
  return ranked.sort(
    (left, right) => right.score - left.score || left.message - right.message || left.chunk - right.chunk,
  );
}

const placeOf = (message: number, chunk: number): string => `${message}:${chunk}`;

/** Of chunks with the same text, numbers included, only the last stays. */
function withoutRepeats(chunks: readonly PlacedChunk[]): readonly PlacedChunk[] {
  const last = new Map<string, PlacedChunk>();
  for (const chunk of chunks) {
    const key = chunk.text.replace(/\s+/g, ' ').trim();
    const known = last.get(key);
    if (known === undefined || known.message < chunk.message) last.set(key, chunk);
  }
  return [...last.values()];
}

interface Looked {
  readonly chunk: PlacedChunk;
  /** Words of the question in the chunk, and those that only its call has. */
  readonly counts: ReadonlyMap<string, number>;
  readonly context: ReadonlySet<string>;
  /** Pairs of different words of the question that are close together. */
  readonly pairs: readonly (readonly [string, string])[];
  readonly length: number;
}

/** Words at most this far apart are close. */
const CLOSE = 3;

function look(chunk: PlacedChunk, query: readonly QueryWord[]): Looked {
  const asked = new Set(query.map(({ word }) => word));
  const words = wordsOf(chunk.text);
  const counts = new Map<string, number>();
  const pairs: (readonly [string, string])[] = [];
  let before = -1;
  for (const [at, word] of words.entries()) {
    if (!asked.has(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    const previous = words[before];
    if (previous !== undefined && previous !== word && at - before <= CLOSE) pairs.push([previous, word]);
    before = at;
  }
  const context = new Set(
    wordsOf(`${chunk.section.tool ?? ''} ${chunk.section.target}`).filter(
      (word) => asked.has(word) && !counts.has(word),
    ),
  );
  return { chunk, counts, context, pairs, length: words.length };
}

/** How much finding each word of the question is worth: rare words more than common ones. */
function wordWorths(query: readonly QueryWord[], looked: readonly Looked[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const { counts, context } of looked)
    for (const word of [...counts.keys(), ...context]) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return new Map(
    query.map(({ word, weight }) => [
      word,
      weight * Math.log(1 + (looked.length + 1) / ((frequency.get(word) ?? 0) + 0.5)),
    ]),
  );
}

function ownScores(looked: readonly Looked[], worth: ReadonlyMap<string, number>): readonly number[] {
  const valueFor = (word: string): number => worth.get(word) ?? 0;
  const total = [...worth.values()].reduce((sum, each) => sum + each, 0) || 1;
  const mean = looked.reduce((sum, { length }) => sum + length, 0) / Math.max(1, looked.length) || 1;
  return looked.map(({ chunk, counts, context, pairs, length }) => {
    let sum = 0;
    let covered = 0;
    const held = RANKING.repetition * (1 - RANKING.length + (RANKING.length * length) / mean);
    for (const [word, count] of counts) {
      sum += (valueFor(word) * count * (RANKING.repetition + 1)) / (count + held);
      covered += valueFor(word);
    }
    for (const word of context) {
      sum += RANKING.context * valueFor(word);
      covered += RANKING.context * valueFor(word);
    }
    const close = pairs.reduce((add, [left, right]) => add + Math.min(valueFor(left), valueFor(right)), 0);
    return (
      (sum * (covered / total) ** RANKING.coverage + RANKING.closeness * Math.min(close, total)) * speakerFactor(chunk)
    );
  });
}

function speakerFactor({ section, role }: PlacedChunk): number {
  switch (section.type) {
    case 'call':
      return RANKING.call;
    case 'result':
      return section.isContent ? RANKING.content : RANKING.output;
    case 'reasoning':
      return RANKING.reasoning;
    case 'text':
      return role === 'user' ? RANKING.user : role === 'assistant' ? RANKING.assistant : 1;
  }
}

function hintFactor({ role, message, text }: PlacedChunk, hints: Hints, size: number): number {
  const share = message / Math.max(1, size);
  const time = hints.time === 0 ? 0 : RANKING.time * (hints.time > 0 ? share : 1 - share);
  const speaker = hints.fromUser && role === 'user' ? RANKING.fromUser : 1;
  return speaker * (1 + time) * (1 + RANKING.shape * fitOf(text, hints));
}
