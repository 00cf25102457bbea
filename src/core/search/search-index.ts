/** A stretch of a message as an index sees it: words in their basic form. */
export interface IndexedChunk {
  /** The words, in order. */
  readonly words: readonly string[];
}

/** A stretch that an index found. */
export interface Candidate {
  /** Place of the message in the history, counted from 0. */
  readonly message: number;
  /** Place of the chunk in the message. */
  readonly chunk: number;
  /** Larger is better; comparable within one answer only. */
  readonly score: number;
}

/** What a search needs of a store: chunks that hold any of the words, best first by how rare and how many they are. */
export type SearchIndex = (words: readonly string[], limit: number) => Promise<readonly Candidate[]>;
