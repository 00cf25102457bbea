/** What a fact is about. */
export type FactKind = 'constraint' | 'decision' | 'file' | 'command' | 'error' | 'value' | 'question' | 'task';

/**
 * `current`: holds now. `stale`: a later value replaced it. `open` / `resolved`: an error, question or task that waits, or no longer does.
 * `lifted`: a constraint the user took back.
 */
export type FactStatus = 'current' | 'stale' | 'open' | 'resolved' | 'lifted';

/** Something that must not be lost. */
export interface Fact {
  /** What it is about. */
  readonly kind: FactKind;
  /** The thing it states: two facts with one key are two states of one thing, and the later one wins. */
  readonly key: string;
  /** The fact as a reader sees it. Constraints are quoted, never paraphrased. */
  readonly text: string;
  /** Strings that must all be in a view for the fact to be there. */
  readonly needles: readonly string[];
  /** Whether it still holds. */
  readonly status: FactStatus;
  /** Where it comes from. */
  readonly source: FactSource;
  /** How much it would hurt to lose it. */
  readonly weight: number;
  /** Must be in the view or recoverable from it. */
  readonly critical: boolean;
}

/** The place in the history that states a fact. */
export interface FactSource {
  /** Number of the message, counted from 1. */
  readonly message: number;
  /** Index of the passage in its entry; -1 for the whole call. */
  readonly passage: number;
}

/** A fact as it was found: what is true, before anybody judges what it is worth. */
export interface FoundFact extends Omit<Fact, 'weight' | 'critical'> {
  readonly grounds: Grounds;
}

/** What the judgement of a fact rests on, besides its kind and status. */
export interface Grounds {
  /** The user said it, and said it last. */
  readonly byUser?: boolean;
  /** The user said it at least once since it was last replaced. */
  readonly userSaid?: boolean;
  /** It takes an earlier constraint back. */
  readonly lifts?: boolean;
  /** The file was changed, not only read. */
  readonly changed?: boolean;
  /** How often a file was touched or a value mentioned. */
  readonly times?: number;
}
