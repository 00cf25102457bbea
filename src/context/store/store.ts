import type { Candidate, IndexedChunk } from '../../core/search/search-index.ts';

/**
 * Where contexts are kept: everything ever said, and an append-only log of what was done to the view. A store sees texts and numbers, never
 * messages; only the context knows what they mean. `storeLaws` of `precis/testing` checks what a store owes its callers.
 */
export interface Store {
  /**
   * Opens a context, and makes it when it is new. One opener at a time may write; its lease ends with `close`, or some time after it was last
   * used. Rejects with code `locked` when somebody else writes.
   */
  open(id: string, access: Access): Promise<StoredContext>;
  /** Every context in the store that was ever opened for writing. */
  contexts(): Promise<readonly ContextInfo[]>;
  /** Gives up all leases and resources of this store object. */
  close(): Promise<void>;
}

/** `write`: the one opener that may add to a context. `read`: one of many that look on. */
export type Access = 'write' | 'read';

/** One context of a store, in numbers. */
export interface ContextInfo {
  /** Name of the context. */
  readonly id: string;
  /** Messages of its history. */
  readonly messages: number;
  /** Things that were done to its view. */
  readonly events: number;
  /** When the first message or event came, in milliseconds since 1970; null when nothing was written yet. */
  readonly firstAt: number | null;
  /** When the last one came, in milliseconds since 1970; null when nothing was written yet. */
  readonly lastAt: number | null;
}

/** A value as text. Long strings stand apart, so that a store keeps each of them once however often it occurs. */
export interface Piece {
  /** JSON in which `{"$c": n}` stands for the n-th of `contents`, counted from 0. */
  readonly body: string;
  /** The long strings, each once. */
  readonly contents: readonly string[];
}

/** One message of the history. */
export interface StoredMessage extends Piece {
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** Stretches that can be searched; empty in the answers of `load`, `loadAfter` and `messagesAt`. */
  readonly chunks: readonly IndexedChunk[];
}

/** One thing that was done to the view. */
export interface StoredEvent extends Piece {
  /** When it was done, in milliseconds since 1970. */
  readonly at: number;
}

/** Written together or not at all, the messages first. */
export interface Batch {
  /** Messages to add to the history, in order. */
  readonly messages: readonly StoredMessage[];
  /** Events to add to the log, in order. */
  readonly events: readonly StoredEvent[];
  /** Small facts that are replaced, not added to; null leaves them as they are. */
  readonly state: string | null;
}

/** The content of a context, or the part of it that was written after a given point. */
export interface StoredState {
  /** Messages of the history, oldest first. */
  readonly messages: readonly StoredMessage[];
  /** Events of the log, oldest first. */
  readonly events: readonly StoredEvent[];
  /** The small facts as they were written last; null when they never were. */
  readonly state: string | null;
}

/** A context of a store that somebody has opened. */
export interface StoredContext {
  /** Name of the context. */
  readonly id: string;
  /** How it was opened. */
  readonly access: Access;
  /** Everything that is there now. */
  load(): Promise<StoredState>;
  /** Everything after the first so many messages and events: how a reader keeps up with a writer. */
  loadAfter(messages: number, events: number): Promise<StoredState>;
  /**
   * When it resolves, the batch is kept, even through a crash; when it rejects, nothing of it is. Rejects with code `locked` when the lease is
   * lost, and with code `store` when the disk is full or may not be written.
   */
  commit(batch: Batch): Promise<void>;
  /** Chunks that hold any of the words, best first by how rare and how many they are. */
  search(words: readonly string[], limit: number): Promise<readonly Candidate[]>;
  /** Messages by their place in the history, counted from 0. */
  messagesAt(indexes: readonly number[]): Promise<readonly StoredMessage[]>;
  /** Gives up the lease. Waiting batches are the caller's business. */
  close(): Promise<void>;
}
