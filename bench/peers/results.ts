/** What `npm run bench:peers` measured, as it is written to `bench/results/peers.json`. The report is made from nothing else. */
export interface PeersResults {
  readonly date: string;
  /** The code that was measured, as `measuredCommit()` names it. */
  readonly commit: string | null;
  readonly node: string;
  readonly machine: string;
  /** Null for the sessions that are shipped with the project. */
  readonly place: string | null;
  readonly sessions: readonly { readonly name: string; readonly tokens: number; readonly facts: number }[];
  /** Size of a view as a share of the session, in percent, and the least tokens it is ever asked to have. */
  readonly target: { readonly percent: number; readonly leastTokens: number };
  readonly passes: readonly number[];
  readonly window: number;
  /** Facts that system message and task alone hold: the floor. The whole sessions hold all. */
  readonly floor: Share;
  readonly arms: readonly ArmResult[];
  readonly survival: readonly SurvivalRow[];
  readonly files: readonly FilesRow[];
  readonly misbehaviours: readonly MisbehaviourRow[];
  readonly cost: CostResults;
  readonly notRun: readonly (readonly [string, string])[];
  /** The whole run, in seconds. */
  readonly seconds: number;
}

export interface ArmResult {
  readonly id: string;
  readonly title: string;
  readonly how: string;
  readonly versions: readonly string[];
  readonly summarises: boolean;
  readonly counting: string;
  /** Why it could not run; null when it did. */
  readonly failed: string | null;
}

/** `none` for arms that ask no model. */
export type Teller = 'none' | 'silent' | 'forgetful' | 'rewording' | 'perfect';

export interface Share {
  readonly kept: number;
  readonly facts: number;
}

export interface SurvivalRow extends Share {
  readonly arm: string;
  readonly teller: Teller;
  readonly passes: number;
  readonly byKind: Readonly<Record<string, Share>>;
  readonly byAge: Readonly<Record<Age, Share>>;
  /** Tokens of all views by tokens of all sessions. */
  readonly retained: number;
  /** Sessions whose view is more than a fifth larger than asked for. */
  readonly tooLarge: number;
  /** Tokens that the summariser read by tokens of the sessions; what it was allowed to write; how often it was asked. */
  readonly shown: number;
  readonly allowed: number | null;
  readonly calls: number;
  readonly unsound: readonly string[];
  readonly threw: number;
  readonly skipped: number;
  /** Facts in the view or found by one search with the question; null when the arm has no search. */
  readonly withSearch: Share | null;
  /** Sessions of which it keeps more facts than precis in the same size: the size of its view, and how many more. */
  readonly behind: readonly { readonly session: string; readonly tokens: number; readonly facts: number }[];
  /** precis, with the same summariser, in views of the very sizes that this arm gave. Null for precis itself. */
  readonly ours: (Share & { readonly retained: number }) | null;
}

export const AGES = ['oldest', 'middle', 'newest'] as const;
export type Age = (typeof AGES)[number];

export interface FilesRow {
  readonly arm: string;
  readonly teller: Teller;
  readonly files: number;
  readonly shellFiles: number;
  /** Paths that the view names. */
  readonly named: number;
  readonly shellNamed: number;
  /** Paths beside which the view also says what became of the file. */
  readonly told: number;
  readonly shellTold: number;
  readonly retained: number;
}

export const MISBEHAVIOURS = ['throws', 'empty', 'refuses', 'cut-off', 'floods', 'overflow'] as const;
export type Misbehaviour = (typeof MISBEHAVIOURS)[number];

export interface MisbehaviourRow {
  readonly arm: string;
  readonly misbehaviour: Misbehaviour;
  readonly verdict: Verdict;
  readonly detail: string;
  readonly calls: number;
  readonly seconds: number;
}

/**
 * `kept`: nothing changed and nobody was told of an error. `threw`: nothing changed and the caller gets an error. `fell-back`: compacted without the
 * bad answer, and everything that must not be lost is there. `lost`: something that must not be lost is gone, or the bad answer is the memory.
 */
export type Verdict = 'kept' | 'threw' | 'fell-back' | 'lost';

export interface CostResults {
  readonly session: { readonly tokens: number; readonly messages: number };
  readonly passes: readonly PassCost[];
  readonly turns: readonly TurnCost[];
  /** The same arm measured twice in the same way: how far two figures differ by chance. */
  readonly noise: { readonly pass: number; readonly turn: number };
}

export interface PassCost {
  readonly arm: string;
  /**
   * Median, from the messages to the compacted view, without the time that the summariser itself took: append, the count and decision before a
   * request, and the compaction. Some count in the one and some in the other, so parts of it cannot be compared.
   */
  readonly ms: number;
  /** The most that the first compaction of a process held beyond what was held right before it. */
  readonly peakMb: number;
  /** The process once the package is loaded; Node and the bench itself, which counts exact tokens, are in it for every arm. */
  readonly loadedMb: number;
}

export interface TurnCost {
  readonly arm: string;
  readonly tokens: number;
  /** Median of an append and the count and decision before the next request. */
  readonly ms: number;
}
