import type { ModelCall } from '../model.ts';

/** What a compaction did, in numbers and references. Stable and versioned; more fields may follow. */
export interface Receipt {
  /** Version of this shape. */
  readonly version: 1;
  /** What was done. */
  readonly outcome: Outcome;
  /** One sentence for people. */
  readonly reason: string;
  /** Sizes before and after, and the limits they were held to. */
  readonly tokens: {
    readonly before: number;
    readonly after: number;
    readonly window: number;
    readonly threshold: number;
    readonly target: number;
  };
  /** How many messages came in and went out. */
  readonly messages: { readonly before: number; readonly after: number };
  /** Facts of the ledger that must not be lost: in the view, out of it but behind a ref, or gone. */
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
  /** Handle of the stored originals; null without a store. */
  readonly checkpoint: string | null;
  /** What was mended while reading, and what a person should know. */
  readonly notes: readonly string[];
  /** How long it took, in milliseconds; 0 without a clock. */
  readonly ms: number;
}

/** What was done. `repaired`: code added facts that a model's summary did not name. `fell-back`: the summary could not be used. */
export type Outcome = 'unchanged' | 'trimmed' | 'condensed' | 'folded' | 'repaired' | 'fell-back' | 'refused';

/** One recorded change. `from` and `to` (inclusive) are indexes into the history, counted from 0. */
export interface Edit {
  /** How it changed them. */
  readonly kind: 'trim' | 'dedupe' | 'condense' | 'fold' | 'strip-reasoning' | 'drop-image';
  /** First message that it changed. */
  readonly from: number;
  /** Last message that it changed. */
  readonly to: number;
  /** Size of the originals. */
  readonly tokensBefore: number;
  /** Size of what stands in their place; a handoff counts at the first stretch it replaces. */
  readonly tokensAfter: number;
  /** Handle of the originals. */
  readonly ref: string;
}
