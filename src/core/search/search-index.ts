/** A chunk as an index sees it: words in their basic form. */
export interface IndexedChunk {
  /** The words, in order. */
  readonly words: readonly string[];
}

/** A chunk that an index found. */
export interface Candidate {
  /** Index of the message in the history. */
  readonly message: number;
  /** Index of the chunk in the message. */
  readonly chunk: number;
  /** Larger is better; comparable within one answer only. */
  readonly score: number;
}

/** Finds chunks that hold any of the words, those with the most and rarest words first. Every store provides one. */
export type SearchIndex = (words: readonly string[], limit: number) => Promise<readonly Candidate[]>;
