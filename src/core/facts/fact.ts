/** Something that must not be lost. */
export type FactKind = 'constraint' | 'decision' | 'file' | 'command' | 'error' | 'value' | 'question' | 'task';

/**
 * `current`: holds now. `stale`: a later value replaced it. `open` / `resolved`: an error, question or task that waits, or no longer does.
 * `lifted`: a constraint the user took back.
 */
export type FactStatus = 'current' | 'stale' | 'open' | 'resolved' | 'lifted';

export interface Fact {
  readonly kind: FactKind;
  /** What the fact is about: two facts with one key are two states of one thing, and the later one wins. */
  readonly key: string;
  /** As it is shown to a reader. Constraints are quoted, never paraphrased. */
  readonly text: string;
  /** Strings that must all be in a view for the fact to be there. */
  readonly needles: readonly string[];
  readonly status: FactStatus;
  /** Where it comes from: number of the message in the history, counted from 1, and the passage in its entry (-1: the whole call). */
  readonly source: FactSource;
  /** How much it would hurt to lose it. */
  readonly weight: number;
  /** Must be in the view or recoverable from it. */
  readonly critical: boolean;
}

export interface FactSource {
  readonly message: number;
  readonly passage: number;
}
