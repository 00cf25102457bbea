import type { Candidate, IndexedChunk } from '../../core/search/search-index.ts';

/**
 * Keeps contexts: everything ever said, and an append-only log of the changes to the view. A store handles texts and numbers, never messages;
 * only the context interprets them. `storeLaws` of `precis/testing` checks the duties of a store.
 */
export interface Store {
  /**
   * Opens a context, and creates it when it is new. Only one opener at a time may write. Its lease ends with `close`, or some time after its
   * last use. Rejects with code `locked` when somebody else writes.
   */
  open(id: string, access: Access): Promise<StoredContext>;
  /** Lists every context that was ever opened for writing. */
  contexts(): Promise<readonly ContextInfo[]>;
  /** Releases all leases and resources of this store object. */
  close(): Promise<void>;
}

/** `write`: the one opener that may add to a context. `read`: one of many that follow it. */
export type Access = 'write' | 'read';

/** One context of a store, in numbers. */
export interface ContextInfo {
  /** Name of the context. */
  readonly id: string;
  /** Messages of its history. */
  readonly messages: number;
  /** Changes to its view. */
  readonly events: number;
  /** When the first message or event came, in milliseconds since 1970; null when nothing was written yet. */
  readonly firstAt: number | null;
  /** When the last one came, in milliseconds since 1970; null when nothing was written yet. */
  readonly lastAt: number | null;
}

/** A value as text. Long strings are kept apart, so that a store can keep each of them once. */
export interface Piece {
  /** JSON in which `{"$c": n}` replaces the n-th string of `contents`, counted from 0. */
  readonly body: string;
  /** The long strings, each once. */
  readonly contents: readonly string[];
}

/** One message of the history. */
export interface StoredMessage extends Piece {
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** Stretches that can be searched. Empty in the answers of `load`, `loadAfter` and `messagesAt`. */
  readonly chunks: readonly IndexedChunk[];
}

/** One change to the view. */
export interface StoredEvent extends Piece {
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
}

/** Changes that a store writes together or not at all, the messages first. */
export interface Batch {
  /** Messages to add to the history, in order. */
  readonly messages: readonly StoredMessage[];
  /** Events to add to the log, in order. */
  readonly events: readonly StoredEvent[];
  /** The state of the context, which replaces the earlier one; null leaves it as it is. */
  readonly state: string | null;
}

/** The content of a context, or the part that was written after a given point. */
export interface StoredState {
  /** Messages of the history, oldest first. */
  readonly messages: readonly StoredMessage[];
  /** Events of the log, oldest first. */
  readonly events: readonly StoredEvent[];
  /** The state that was written last; null when there was none. */
  readonly state: string | null;
}

/** A context of a store that somebody has opened. */
export interface StoredContext {
  /** Name of the context. */
  readonly id: string;
  /** How it was opened. */
  readonly access: Access;
  /** Reads everything that is there now. */
  load(): Promise<StoredState>;
  /** Reads everything after this many messages and events, so that a reader can follow a writer. */
  loadAfter(messages: number, events: number): Promise<StoredState>;
  /**
   * Writes a batch. Once it resolves, the batch survives a crash; when it rejects, none of it is kept. Rejects with code `locked` when the lease
   * is lost, and with code `store` when the disk is full or cannot be written.
   */
  commit(batch: Batch): Promise<void>;
  /** Finds chunks that hold any of the words, best first: rare words and many of them rank higher. */
  search(words: readonly string[], limit: number): Promise<readonly Candidate[]>;
  /** Reads messages by their place in the history, counted from 0. */
  messagesAt(indexes: readonly number[]): Promise<readonly StoredMessage[]>;
  /** Releases the lease. Waiting batches are left to the caller. */
  close(): Promise<void>;
}
