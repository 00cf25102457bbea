import type { Role } from '../conversation/message.ts';
import type { Section } from './chunks.ts';
import type { QueryWord } from './words.ts';
import { wordsOf } from './words.ts';

/** A chunk with all that ranking looks at. */
export interface RankedChunk {
  /** Place of the message in the history, counted from 0, and of the chunk in the message. */
  readonly message: number;
  readonly chunk: number;
  readonly role: Role;
  readonly section: Section;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Scored extends RankedChunk {
  readonly score: number;
}

export const W: Record<string, number> = {
  k: 0.6, len: 0.4, cov: 1, ctx: 0.5, prox: 0.25, near: 0.3, reply: 0.2, user: 1.25, assistant: 1.2, result: 1, content: 0.85, call: 0.9, rec: 0.5, kind: 0.1, bm: 0,
  reasoning: 0.9, system: 1,
};

export function rank(chunks: readonly RankedChunk[], query: readonly QueryWord[], question: string, size: number): readonly Scored[] {
  const weights = new Map(query.map(({ word, weight }) => [word, weight]));
  const order = new Map(query.map(({ word }, at) => [word, at]));
  const seen = chunks.map((chunk) => look(chunk, weights));
  const frequency = new Map<string, number>();
  for (const { counts, context } of seen) for (const word of new Set([...counts.keys(), ...context])) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const rarity = (word: string): number => Math.log(1 + (chunks.length + 1) / ((frequency.get(word) ?? 0) + 0.5));
  const worth = new Map([...weights].map(([word, weight]) => [word, weight * rarity(word)]));
  const total = [...worth.values()].reduce((sum, each) => sum + each, 0) || 1;
  const mean = seen.reduce((sum, { length }) => sum + length, 0) / Math.max(1, seen.length);
  const own = seen.map(({ counts, context, places, length }, at) => {
    let sum = 0;
    let covered = 0;
    const long = 1 - W.len! + (W.len! * length) / mean;
    for (const [word, count] of counts) {
      const value = worth.get(word) ?? 0;
      sum += (value * count * (W.k! + 1)) / (count + W.k! * long);
      covered += value;
    }
    for (const word of context) if (!counts.has(word)) { sum += W.ctx! * (worth.get(word) ?? 0); covered += W.ctx! * (worth.get(word) ?? 0); }
    let close = 0;
    for (let i = 1; i < places.length; i++) {
      const [a, b] = [places[i - 1]!, places[i]!];
      if (a.word !== b.word && b.at - a.at <= 3) {
        const gap = Math.abs((order.get(b.word) ?? 0) - (order.get(a.word) ?? 0));
        close += Math.min(worth.get(a.word) ?? 0, worth.get(b.word) ?? 0) / (gap <= 2 ? 1 : 2);
      }
    }
    const chunk = chunks[at]!;
    return (sum * (covered / total) ** W.cov! + W.prox! * Math.min(close, total)) * factor(chunk);
  });
  const places = new Map(chunks.map((chunk, at) => [`${chunk.message}:${chunk.chunk}`, at]));
  const best = new Map<number, number>();
  for (const [at, chunk] of chunks.entries()) best.set(chunk.message, Math.max(best.get(chunk.message) ?? 0, own[at]!));
  const toward = /\b(?:latest|last|final|finally|current|currently|now|newest|recent|recently|end|eventually)\b/i.test(question) ? 1 : /\b(?:first|initial|initially|original|originally|earliest|beginning)\b/i.test(question) ? -1 : 0;
  return chunks
    .map((chunk, at) => {
      const of = (message: number, k: number): number => own[places.get(`${message}:${k}`) ?? -1] ?? 0;
      const near = Math.max(of(chunk.message, chunk.chunk - 1), of(chunk.message, chunk.chunk + 1));
      const before = best.get(chunk.message - 1) ?? 0;
      const share = chunk.message / Math.max(1, size);
      const time = toward === 0 ? 1 : 1 + W.rec! * (toward > 0 ? share : 1 - share) * 0.5;
      return { ...chunk, score: (own[at]! + W.near! * near + W.reply! * before * (chunk.role === 'tool' ? 0.5 : 1)) * time };
    })
    .sort((a, b) => b.score - a.score || a.message - b.message || a.chunk - b.chunk);
}

function factor(chunk: RankedChunk): number {
  if (chunk.section.type === 'call') return W.call!;
  if (chunk.section.type === 'result') return chunk.section.isContent ? W.content! : W.result!;
  if (chunk.section.type === 'reasoning') return W.reasoning!;
  return chunk.role === 'user' ? W.user! : chunk.role === 'assistant' ? W.assistant! : W.system!;
}

interface Looked {
  readonly counts: ReadonlyMap<string, number>;
  readonly context: ReadonlySet<string>;
  readonly places: readonly { readonly word: string; readonly at: number }[];
  readonly length: number;
}

function look(chunk: RankedChunk, weights: ReadonlyMap<string, number>): Looked {
  const words = wordsOf(chunk.text);
  const counts = new Map<string, number>();
  const places: { word: string; at: number }[] = [];
  for (const [at, word] of words.entries())
    if (weights.has(word)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      places.push({ word, at });
    }
  const context = new Set(wordsOf(`${chunk.section.tool ?? ''} ${chunk.section.target}`).filter((word) => weights.has(word)));
  return { counts, context, places, length: words.length };
}
