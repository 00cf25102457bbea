import type { Message } from '../conversation/message.ts';
import type { Original, Ref } from '../conversation/ref.ts';
import type { SearchAnswer } from '../search/answer.ts';
import { type SearchSource, search } from '../search/search.ts';
import type { StoredContext } from '../store.ts';
import type { TokenCounter } from '../tokens/counter.ts';
import { rowOf } from './kept.ts';
import { createRefIndex } from './refs.ts';
import type { Timeline } from './timeline.ts';

export interface RecallOptions {
  /** Size of the answer. @default 1500 */
  readonly tokens?: number;
  /** Where in a long original to go on, in characters. @default 0 */
  readonly offset?: number;
}

export interface Recall {
  /** Passages that answer a question, or the original behind a ref or number. */
  recall(query: string, options: RecallOptions): Promise<SearchAnswer>;
  original(ref: string): Original | null;
}

/** Looks things up in all that was ever said, also in what a host went back from. */
export function createRecall({
  timeline,
  stored,
  counter,
}: {
  readonly timeline: Timeline;
  readonly stored: StoredContext;
  readonly counter: TokenCounter;
}): Recall {
  const refs = createRefIndex();
  let seen = 0;
  const find = (ref: Ref): Original | null => {
    const messagesOf = (rows: readonly number[]): readonly Message[] =>
      rows.flatMap((row) => timeline.rows[row]?.message ?? []);
    for (; seen < timeline.left.length; seen++) refs.update(messagesOf(timeline.left[seen] ?? []));
    refs.update(timeline.history());
    return refs.find(ref);
  };
  const source: SearchSource = {
    search: (words, limit) => stored.search(words, limit),
    async messagesAt(indexes) {
      // A reader may find what was written after it last looked.
      const missing = indexes.filter((index) => timeline.rows[index] === undefined);
      const found = missing.length === 0 ? [] : await stored.messagesAt(missing);
      return indexes.flatMap((index) => {
        const later = found[missing.indexOf(index)];
        return timeline.rows[index]?.message ?? (later === undefined ? [] : rowOf(later).message);
      });
    },
    original: find,
  };
  return {
    recall: (query, options) => search(query, source, { ...options, counter }),
    original: (text) => {
      const hash = /^\s*⟦?r:([0-9a-f]{13})⟧?\s*$/.exec(text)?.[1];
      return hash === undefined ? null : find(`⟦r:${hash}⟧`);
    },
  };
}
