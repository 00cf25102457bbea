import type { SummariserPlace, WireMessage } from './types.ts';

/** What a worker is asked to do. One process holds one arm, so that none inherits the memory or the settings of another. */
export type Job =
  | {
      /** The session in parts, compacted after each. */
      readonly type: 'chain';
      readonly parts: readonly (readonly WireMessage[])[];
      readonly keep: number;
      readonly window: number;
      /** Whether the view before the last compaction is wanted too: it is large, and few ask for it. */
      readonly wantsBefore?: boolean;
      /** Asked of the history at the end, where an arm can be asked. */
      readonly questions?: readonly string[];
      /** Whether memory is watched: the collections before it make the compaction itself slower, so its time is not to be used then. */
      readonly wantsMemory?: boolean;
    }
  | {
      /** A session that grows turn by turn and never has to be cut. */
      readonly type: 'turns';
      readonly before: readonly WireMessage[];
      readonly turns: readonly (readonly WireMessage[])[];
      readonly keep: number;
      readonly window: number;
    };

export type Done =
  | { readonly type: 'chain'; readonly chain: ChainDone }
  | { readonly type: 'turns'; readonly ms: readonly number[] };

export interface ChainDone {
  readonly view: readonly WireMessage[];
  /** The view before the last compaction; empty when it was not asked for. */
  readonly before: readonly WireMessage[];
  /** What a search for each question found; null when the arm has no search. */
  readonly found: readonly string[] | null;
  readonly outcomes: readonly ('compacted' | 'skipped' | 'threw')[];
  /** What it threw last; null when it never did. */
  readonly error: string | null;
  /** Time of all compactions, the summariser's answers included. */
  readonly ms: number;
  /** The same from the messages on: some count while they are appended or before a request, others while they compact. */
  readonly wholeMs: number;
  /** Memory that a compaction held at most, in bytes, beyond what was held before it; null when it was not watched. */
  readonly peakBytes: number | null;
}

/** To a worker. */
export type Request =
  | { readonly type: 'load'; readonly arm: string; readonly folder: string; readonly place: SummariserPlace }
  | { readonly type: 'job'; readonly job: Job };

/** From a worker. */
export type Answer =
  | { readonly type: 'loaded'; readonly versions: readonly string[]; readonly residentBytes: number }
  | { readonly type: 'done'; readonly done: Done }
  | { readonly type: 'failed'; readonly message: string };
