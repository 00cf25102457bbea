import type { Message } from '../../core/conversation/message.ts';
import type { Original, Ref } from '../../core/conversation/ref.ts';
import type { SearchAnswer } from '../../core/search/answer.ts';
import { type SearchSource, search } from '../../core/search/search.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { Journal } from '../timeline/journal.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { createRefIndex } from './refs.ts';

/** Options of one `recall` or `search`. */
export interface RecallOptions {
  /** Size of the answer in tokens. @default 1500 */
  readonly tokens?: number;
  /** Where to continue in a long original, in characters. @default 0 */
  readonly offset?: number;
}

export interface Recall {
  /** Returns passages that answer a question, or the original behind a ref or number. */
  find(query: string, options: RecallOptions): Promise<SearchAnswer>;
  original(ref: string): Original | null;
}

/** Searches everything that was ever said. Messages that the host went back from are found only by their ref. */
export function createRecall({ timeline, stored }: Journal, counter: TokenCounter): Recall {
  const original = createOriginals(timeline);
  const indexOfRow = createRowIndexes(timeline);
  const source: SearchSource = {
    async search(words, limit) {
      const found = await stored.search(words, limit);
      const indexes = indexOfRow();
      return found.flatMap((candidate) => {
        const message = indexes.get(candidate.message);
        return message === undefined ? [] : [{ ...candidate, message }];
      });
    },
    messagesAt: async (indexes) =>
      indexes.flatMap((index) => timeline.rows[timeline.lineage[index] ?? -1]?.message ?? []),
    original,
  };
  return {
    find: (query, options) => search(query, source, { ...options, counter }),
    original(text) {
      const hash = /^\s*⟦?r:([0-9a-f]{13})⟧?\s*$/.exec(text)?.[1];
      return hash === undefined ? null : original(`⟦r:${hash}⟧`);
    },
  };
}

/** Finds originals by their ref, including those of abandoned messages. */
function createOriginals(timeline: Timeline): (ref: Ref) => Original | null {
  const refs = createRefIndex();
  let abandonedIndexed = 0;
  const messagesOf = (rows: readonly number[]): readonly Message[] =>
    rows.flatMap((row) => timeline.rows[row]?.message ?? []);
  return (ref) => {
    for (; abandonedIndexed < timeline.abandoned.length; abandonedIndexed++)
      refs.update(messagesOf(timeline.abandoned[abandonedIndexed] ?? []));
    refs.update(timeline.history());
    return refs.find(ref);
  };
}

/** Maps each row to its index in the current history, because a handoff numbers only those messages. */
function createRowIndexes(timeline: Timeline): () => ReadonlyMap<number, number> {
  let cached: { readonly epoch: number; readonly length: number; readonly map: ReadonlyMap<number, number> } | null =
    null;
  return () => {
    const { epoch, lineage } = timeline;
    if (cached?.epoch !== epoch || cached.length !== lineage.length)
      cached = { epoch, length: lineage.length, map: new Map(lineage.map((row, index) => [row, index])) };
    return cached.map;
  };
}
