import type { Candidate, IndexedChunk } from './search-index.ts';

/** An index that lives as long as the process. */
export interface MemoryIndex {
  add(message: number, chunks: readonly IndexedChunk[]): void;
  search(words: readonly string[], limit: number): readonly Candidate[];
}

/** Parameters of the BM25 ranking: how soon repetition stops counting, and how much long chunks are held back. */
const REPETITION = 1.2;
const LENGTH = 0.75;

export function createMemoryIndex(): MemoryIndex {
  const chunks: { readonly message: number; readonly chunk: number; readonly length: number }[] = [];
  const postings = new Map<string, Map<number, number>>();
  let total = 0;
  return {
    add(message, added) {
      for (const [chunk, { words }] of added.entries()) {
        const at = chunks.push({ message, chunk, length: words.length }) - 1;
        total += words.length;
        for (const word of words) {
          const places = postings.get(word) ?? new Map<number, number>();
          postings.set(word, places.set(at, (places.get(at) ?? 0) + 1));
        }
      }
    },
    search(words, limit) {
      const mean = total / Math.max(1, chunks.length);
      const scores = new Map<number, number>();
      for (const word of new Set(words)) {
        const places = postings.get(word);
        if (places === undefined) continue;
        const rarity = Math.log(1 + (chunks.length - places.size + 0.5) / (places.size + 0.5));
        for (const [at, count] of places) {
          const long = 1 - LENGTH + (LENGTH * (chunks[at]?.length ?? 0)) / mean;
          const part = (rarity * count * (REPETITION + 1)) / (count + REPETITION * long);
          scores.set(at, (scores.get(at) ?? 0) + part);
        }
      }
      return [...scores]
        .sort(([leftAt, left], [rightAt, right]) => right - left || leftAt - rightAt)
        .slice(0, limit)
        .map(([at, score]) => ({ message: chunks[at]?.message ?? 0, chunk: chunks[at]?.chunk ?? 0, score }));
    },
  };
}
