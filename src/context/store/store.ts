import type { Candidate, IndexedChunk } from '../../core/search/search-index.ts';

/**
 * Where contexts are kept: everything ever said, and an append-only log of what was done to the view. A store sees texts and numbers, never
 * messages; what they mean is the business of the context. `storeLaws` of `precis/testing` says what it owes its callers.
 */
export interface Store {
  /**
   * Opens a context, and makes it when it is new. One opener at a time may write; its lease ends with `close`, or some time after it was last
   * used. Rejects with code `locked` when somebody else writes.
   */
  open(id: string, access: Access): Promise<StoredContext>;
  contexts(): Promise<readonly ContextInfo[]>;
  close(): Promise<void>;
}

export type Access = 'write' | 'read';

export interface ContextInfo {
  readonly id: string;
  readonly messages: number;
  readonly events: number;
  /** Milliseconds since 1970; null when nothing was written yet. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** A value as text. Long strings stand apart, so that a store keeps each of them once however often it occurs. */
export interface Piece {
  /** JSON in which `{"$c": n}` stands for the n-th of `contents`. */
  readonly body: string;
  readonly contents: readonly string[];
}

/** One message of the history. */
export interface StoredMessage extends Piece {
  readonly at: number;
  /** Stretches that can be searched; empty in what `load` gives. */
  readonly chunks: readonly IndexedChunk[];
}

/** One thing that was done to the view. */
export interface StoredEvent extends Piece {
  readonly at: number;
}

/** Written together or not at all, the messages first. */
export interface Batch {
  readonly messages: readonly StoredMessage[];
  readonly events: readonly StoredEvent[];
  /** Small facts that are replaced, not added to; null leaves them as they are. */
  readonly state: string | null;
}

export interface StoredState {
  readonly messages: readonly StoredMessage[];
  readonly events: readonly StoredEvent[];
  readonly state: string | null;
}

export interface StoredContext {
  readonly id: string;
  readonly access: Access;
  /** All that is there now. */
  load(): Promise<StoredState>;
  /** What was written after so many messages and events: how a reader keeps up with a writer. */
  loadAfter(messages: number, events: number): Promise<StoredState>;
  /**
   * When it resolves, the batch is kept, also through a crash; when it rejects, nothing of it is. Rejects with code `locked` when the lease is
   * lost, and with code `store` when the disk is full or may not be written.
   */
  commit(batch: Batch): Promise<void>;
  /** Chunks that hold any of the words, best first by how rare and how many they are. */
  search(words: readonly string[], limit: number): Promise<readonly Candidate[]>;
  /** Messages by their place in the history. */
  messagesAt(indexes: readonly number[]): Promise<readonly StoredMessage[]>;
  close(): Promise<void>;
}
