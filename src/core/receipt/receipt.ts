import type { ModelCall } from '../model.ts';

/** What a compaction did, in numbers and references. Stable and versioned; more fields may follow. */
export interface Receipt {
  readonly version: 1;
  readonly outcome: Outcome;
  /** One sentence for people. */
  readonly reason: string;
  readonly tokens: {
    readonly before: number;
    readonly after: number;
    readonly window: number;
    readonly threshold: number;
    readonly target: number;
  };
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
  readonly edits: readonly Edit[];
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
  readonly ms: number;
}

export type Outcome = 'unchanged' | 'trimmed' | 'condensed' | 'folded' | 'repaired' | 'fell-back' | 'refused';

/** One recorded change. `from` and `to` (inclusive) are indexes into the history, counted from 0. */
export interface Edit {
  readonly kind: 'trim' | 'dedupe' | 'condense' | 'fold' | 'strip-reasoning' | 'drop-image';
  readonly from: number;
  readonly to: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Handle of the originals. */
  readonly ref: string;
}
