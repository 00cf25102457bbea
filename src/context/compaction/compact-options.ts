/** Options of one `prepare` or `apply`. */
export interface PrepareOptions {
  /** Aborts a compaction that is under way; the call rejects with code `aborted`. @default none */
  readonly signal?: AbortSignal;
  /** Called with the number of characters a model has written so far. @default none */
  readonly onText?: (characters: number) => void;
}

/** Options of one compaction. Later compactions do not inherit them. */
export interface CompactNowOptions extends PrepareOptions {
  /** Tokens that the view must not exceed. @default the target of the policy */
  readonly target?: number;
  /** A topic that the summary gives most of its space to. @default that of the context */
  readonly focus?: string;
}

/** The options of a compaction, and whether it must happen. */
export interface CompactionRequest extends CompactNowOptions {
  /** True to compact even when the view is below the threshold. */
  readonly force: boolean;
}
