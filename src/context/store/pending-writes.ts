import type { Emitter } from '../events.ts';
import type { Batch, StoredContext, StoredEvent, StoredMessage } from './store.ts';

/** Messages, events and state that wait to be written, in order. A batch that the store refuses waits for the next commit. */
export interface PendingWrites {
  addMessages(messages: readonly StoredMessage[]): void;
  addEvent(event: StoredEvent): void;
  /** Marks the state as changed. The next commit writes it as it is then. */
  addState(): void;
  hasEvents(): boolean;
  /** Writes everything that is waiting. Returns false when the store refused it. */
  commit(): Promise<boolean>;
  /** Runs work between two commits. */
  inOrder(work: () => Promise<boolean>): Promise<boolean>;
  /** Resolves when no write is under way. */
  settled(): Promise<unknown>;
  /** The last error of the store. */
  lastError(): unknown;
}

export interface PendingWritesInput {
  readonly stored: StoredContext;
  readonly emitter: Emitter;
  readonly stateText: () => string;
}

export function createPendingWrites({ stored, emitter, stateText }: PendingWritesInput): PendingWrites {
  let messages: StoredMessage[] = [];
  let events: StoredEvent[] = [];
  let isStateChanged = false;
  let writing: Promise<boolean> = Promise.resolve(true);
  let lastError: unknown = null;
  const flush = async (): Promise<boolean> => {
    if (messages.length === 0 && events.length === 0 && !isStateChanged) return true;
    const batch: Batch = { messages, events, state: isStateChanged ? stateText() : null };
    messages = [];
    events = [];
    isStateChanged = false;
    try {
      await stored.commit(batch);
      return true;
    } catch (error) {
      // The store wrote none of it, so it goes first the next time.
      messages = [...batch.messages, ...messages];
      events = [...batch.events, ...events];
      isStateChanged ||= batch.state !== null;
      lastError = error;
      emitter.emit('store:error', { error, waiting: messages.length + events.length });
      return false;
    }
  };
  const inOrder = (work: () => Promise<boolean>): Promise<boolean> => {
    writing = writing.then(work);
    return writing;
  };
  return {
    addMessages: (added) => {
      messages.push(...added);
    },
    addEvent: (event) => {
      events.push(event);
    },
    addState: () => {
      isStateChanged = true;
    },
    hasEvents: () => events.length > 0,
    commit: () => inOrder(flush),
    inOrder,
    settled: () => writing,
    lastError: () => lastError,
  };
}
