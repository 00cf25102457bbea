import type { ModelCall } from '../model.ts';
import type { Account } from '../tokens/account.ts';

/** A compaction in numbers and refs. Stable and versioned; more fields may follow. */
export interface Receipt {
  /** Version of this shape. */
  readonly version: 1;
  /** How it ended. */
  readonly outcome: Outcome;
  /** One sentence for people. */
  readonly reason: string;
  /** Sizes of the whole request before and after, and the limits they were held to. */
  readonly tokens: {
    readonly before: number;
    readonly after: number;
    readonly window: number;
    readonly threshold: number;
    readonly target: number;
  };
  /** The same sizes, line by line. */
  readonly account: { readonly before: Account; readonly after: Account };
  /** How many messages came in and went out. */
  readonly messages: { readonly before: number; readonly after: number };
  /** Critical facts: in the view, out of it but behind a ref, or gone. */
  readonly facts: {
    readonly critical: number;
    readonly kept: number;
    readonly recoverable: number;
    readonly lost: number;
  };
  /** The first message that differs, and how many tokens of a cached prompt are read anew because of it. */
  readonly cache: { readonly earliestChangedIndex: number; readonly invalidatedTokens: number };
  /** Every change, oldest first. */
  readonly edits: readonly Edit[];
  /** Who wrote the handoff, and how it was checked. */
  readonly writer: {
    readonly kind: 'extractive' | 'model' | 'none';
    readonly model: string | null;
    readonly attempts: number;
    readonly validation: Readonly<Record<string, unknown>>;
  };
  /** Why nothing was done, and the smallest target that could work; null unless the outcome is `refused`. */
  readonly refusal: { readonly reason: string; readonly smallestTarget: number | null } | null;
  /** Calls to models, in order. */
  readonly calls: readonly ModelCall[];
  /** Id of the compaction in its context; null when there is no context. */
  readonly checkpoint: string | null;
  /** Notes for people, such as what was mended while reading. */
  readonly notes: readonly string[];
  /** How long it took, in milliseconds; 0 without a clock. */
  readonly ms: number;
}

/** How a compaction ended. `repaired`: code added facts that a model's summary did not name. `fell-back`: the summary could not be used. */
export type Outcome = 'unchanged' | 'trimmed' | 'condensed' | 'folded' | 'repaired' | 'fell-back' | 'refused';

/** One recorded change. `from` and `to` (inclusive) are indexes into the history, counted from 0. */
export interface Edit {
  /** How it changed them. `retell`: the newest step of a turn under way became a text, because its signed reasoning could not stay. */
  readonly kind: 'trim' | 'dedupe' | 'condense' | 'fold' | 'retell' | 'strip-reasoning' | 'drop-image';
  /** First message that it changed. */
  readonly from: number;
  /** Last message that it changed. */
  readonly to: number;
  /** Size of the originals. */
  readonly tokensBefore: number;
  /** Size of the text in their place; a handoff counts at the first stretch it replaces. */
  readonly tokensAfter: number;
  /** Ref of the originals. */
  readonly ref: string;
}
