import type { Message } from '../../core/conversation/message.ts';
import { NO_GUARD } from '../../core/plan/guard.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { Emitter } from '../events.ts';
import type { ContextOptions } from '../options.ts';
import { createPendingWrites } from '../store/pending-writes.ts';
import type { Store, StoredContext } from '../store/store.ts';
import { eventOf, type Redactor, redactValue, rowOf, storedEvent } from '../store/stored-rows.ts';
import type { TimelineEvent } from './event.ts';
import { createRowMaker, type NewRows } from './new-rows.ts';
import { createRecogniser } from './recognise-resent.ts';
import { type ContextState, readState } from './state.ts';
import { addStored, createTimeline, type Timeline } from './timeline.ts';

export interface JournalInput {
  readonly options: ContextOptions;
  readonly store: Store;
  readonly emitter: Emitter;
  readonly now: () => number;
  readonly counter: TokenCounter;
  readonly counts: WeakMap<Message, number>;
}

/** The timeline and state of a context, in step with its store. Every change is written, history first. */
export interface Journal {
  readonly timeline: Timeline;
  readonly stored: StoredContext;
  /** The current state. Each change makes a new object, so do not keep the old one. */
  readonly state: ContextState;
  /** Makes rows for messages that are about to be added. Throws for messages that cannot be stored, before anything changes. */
  rowsFor(messages: readonly Message[]): NewRows;
  /** Adds rows to the history. The next `commit` writes them, together with the changes of `record`, `amend` and `rewind`. */
  add(rows: NewRows): void;
  record(event: TimelineEvent): void;
  /** Gives a history message another form, by its index. The view shows that form whole. */
  amend(index: number, message: Message): void;
  /** Goes back to the first `keep` messages of the history. */
  rewind(keep: number): void;
  /** Counts the messages at the start of a list that the history already has, and takes the host's newest objects for them. */
  recognise(messages: readonly Message[]): number;
  /** Writes all changes. Returns false when the store refused: the batch waits for the next commit, and the context works from memory. */
  commit(): Promise<boolean>;
  /** Changes the state and commits. */
  changeState(changes: Partial<ContextState>): Promise<boolean>;
  /** Reads what another process has written since the last call. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export async function openJournal({ options, store, emitter, now, counter, counts }: JournalInput): Promise<Journal> {
  const stored = await store.open(options.id, options.access ?? 'write');
  const loaded = await stored.load();
  const timeline = addStored(createTimeline(), loaded.messages.map(rowOf), loaded.events.map(eventOf));
  let state = readState(loaded.state);
  const isRedacted = options.redact === true;
  const redact: Redactor = isRedacted ? redactValue : (value) => value;
  const writes = createPendingWrites({ stored, emitter, stateText: () => JSON.stringify(state) });
  const setState = (next: ContextState): void => {
    state = next;
    writes.addState();
  };
  const record = (event: TimelineEvent): void => {
    // An event that cannot be stored throws here, before anything changes.
    const written = storedEvent(event, redact);
    timeline.record(event);
    writes.addEvent(written);
  };
  const amend = (index: number, message: Message): void => {
    const row = timeline.lineage[index];
    if (row === undefined) return;
    const redacted = redact(message) as Message;
    record({ type: 'amend', rows: timeline.rows.length, row, message: redacted, shown: redacted, at: now() });
  };
  return {
    timeline,
    stored,
    get state() {
      return state;
    },
    rowsFor: createRowMaker({ options, counter, now, redact, earlier: timeline.rows }),
    add(added) {
      timeline.add(added.rows);
      writes.addMessages(added.stored);
    },
    record,
    amend,
    rewind(keep) {
      record({ type: 'rewind', rows: timeline.rows.length, keep, at: now() });
      // Guard and anchor describe messages that no longer count.
      setState({ ...state, guard: NO_GUARD, counted: null });
    },
    recognise: createRecogniser({ timeline, amend, redact, isRedacted, counts }),
    commit: writes.commit,
    changeState(changes) {
      const next = { ...state, ...changes };
      if (JSON.stringify(next) === JSON.stringify(state) && !writes.hasEvents()) return Promise.resolve(true);
      setState(next);
      return writes.commit();
    },
    async refresh() {
      await writes.inOrder(async () => {
        const newer = await stored.loadAfter(timeline.rows.length, timeline.events.length);
        addStored(timeline, newer.messages.map(rowOf), newer.events.map(eventOf));
        state = readState(newer.state);
        return true;
      });
    },
    async close() {
      const isWritten = options.access === 'read' || (await writes.commit());
      await writes.settled();
      await stored.close();
      if (!isWritten) throw writes.lastError();
    },
  };
}
