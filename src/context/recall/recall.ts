import type { Message } from '../../core/conversation/message.ts';
import type { Original, Ref } from '../../core/conversation/ref.ts';
import type { SearchAnswer } from '../../core/search/answer.ts';
import { type SearchSource, search } from '../../core/search/search.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { StoredContext } from '../store/store.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { createRefIndex } from './refs.ts';

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
  let places: { readonly epoch: number; readonly length: number; readonly map: ReadonlyMap<number, number> } | null =
    null;
  const find = (ref: Ref): Original | null => {
    const messagesOf = (rows: readonly number[]): readonly Message[] =>
      rows.flatMap((row) => timeline.rows[row]?.message ?? []);
    for (; seen < timeline.left.length; seen++) refs.update(messagesOf(timeline.left[seen] ?? []));
    refs.update(timeline.history());
    return refs.find(ref);
  };
  /** Numbers are those of the handoff: places among what counts now. What a host went back from is found by its ref alone. */
  const placeOf = (): ReadonlyMap<number, number> => {
    if (places?.epoch !== timeline.epoch || places.length !== timeline.lineage.length) {
      const { epoch, lineage } = timeline;
      places = { epoch, length: lineage.length, map: new Map(lineage.map((row, place) => [row, place])) };
    }
    return places.map;
  };
  const source: SearchSource = {
    async search(words, limit) {
      const found = await stored.search(words, limit);
      const map = placeOf();
      return found.flatMap((candidate) => {
        const message = map.get(candidate.message);
        return message === undefined ? [] : [{ ...candidate, message }];
      });
    },
    messagesAt: async (indexes) =>
      indexes.flatMap((index) => timeline.rows[timeline.lineage[index] ?? -1]?.message ?? []),
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
