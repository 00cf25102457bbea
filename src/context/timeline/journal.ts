import type { Message } from '../../core/conversation/message.ts';
import { fingerprintOf } from '../../core/conversation/ref.ts';
import { NO_GUARD } from '../../core/plan/guard.ts';
import { createCallIndex, shownForm } from '../../core/reduce/insertion.ts';
import { chunksOf } from '../../core/search/chunks.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { Emitter } from '../events.ts';
import type { ContextOptions } from '../options.ts';
import { eventOf, hideSecrets, rowOf, storedEvent, storedRow } from '../store/kept.ts';
import type { Batch, Store, StoredContext, StoredEvent, StoredMessage } from '../store/store.ts';
import { type ContextState, readState } from './state.ts';
import { type ContextEvent, type Row, replayTimeline, type Timeline, type ViewItem } from './timeline.ts';

export interface JournalInput {
  readonly options: ContextOptions;
  readonly store: Store;
  readonly emitter: Emitter;
  readonly now: () => number;
  readonly counter: TokenCounter;
  readonly counts: WeakMap<Message, number>;
}

export interface NewRows {
  readonly rows: readonly Row[];
  readonly stored: readonly StoredMessage[];
}

/** The timeline of a context and its store, kept in step: what changes in one is written to the other, history first. */
export interface Journal {
  readonly timeline: Timeline;
  readonly stored: StoredContext;
  readonly state: { readonly now: ContextState };
  /** Messages in the form they will have in the view and in the store. Throws for what cannot be stored, before anything has changed. */
  rowsFor(messages: readonly Message[]): NewRows;
  /** Adds them to the history. Written by the next `commit`. */
  add(rows: NewRows): void;
  record(event: ContextEvent): void;
  /** Another form of a message of the history, by its index. It stands whole in the view. */
  amend(index: number, message: Message): void;
  rewind(keep: number): void;
  /** True while nothing but plain text was said, which is legal in most formats. */
  isPlain(): boolean;
  /** Writes what is waiting. False when the store could not: it waits on, and the context works from memory. */
  commit(): Promise<boolean>;
  change(changes: Partial<ContextState>): Promise<boolean>;
  /** A view as rows of the history and what was written besides. */
  itemsOf(messages: readonly Message[]): readonly ViewItem[];
  /**
   * How many messages a list has in common with the history, from the start. The host's newest objects are taken for those: they may carry
   * other cache markers. Another system prompt does not make it another conversation.
   */
  follow(messages: readonly Message[]): number;
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export async function openJournal(input: JournalInput): Promise<Journal> {
  const { options, store, emitter, now, counter, counts } = input;
  const stored = await store.open(options.id, options.access ?? 'write');
  const loaded = await stored.load();
  const timeline = replayTimeline(loaded.messages.map(rowOf), loaded.events.map(eventOf));
  const state: { now: ContextState } = { now: readState(loaded.state) };
  const hide = options.redact === true ? hideSecrets : (value: unknown): unknown => value;
  const calls = createCallIndex();
  for (const { message } of timeline.rows) calls.learn(message);
  let messages: StoredMessage[] = [];
  let events: StoredEvent[] = [];
  let isChanged = false;
  let writing: Promise<boolean> = Promise.resolve(true);
  let failure: unknown = null;
  let plain =
    timeline.rows.every(({ message }) => message.parts.every((part) => part.type === 'text')) &&
    timeline.events.every(({ type }) => type !== 'amend');
  const fingerprints = new WeakMap<Message, string>();

  const record = (event: ContextEvent): void => {
    // Whatever cannot be stored is found out before anything changes.
    const stored = storedEvent(event, hide);
    timeline.record(event);
    events.push(stored);
  };
  const amend = (index: number, message: Message): void => {
    const row = timeline.lineage[index];
    if (row === undefined) return;
    const hidden = hide(message) as Message;
    plain = false;
    record({ type: 'amend', rows: timeline.rows.length, row, message: hidden, shown: hidden, at: now() });
  };
  const flush = async (): Promise<boolean> => {
    const batch: Batch = { messages, events, state: isChanged ? JSON.stringify(state.now) : null };
    if (messages.length === 0 && events.length === 0 && !isChanged) return true;
    messages = [];
    events = [];
    isChanged = false;
    try {
      await stored.commit(batch);
      return true;
    } catch (error) {
      // Nothing of it was written. It goes first the next time.
      messages = [...batch.messages, ...messages];
      events = [...batch.events, ...events];
      isChanged ||= batch.state !== null;
      failure = error;
      emitter.emit('store:error', { error, waiting: messages.length + events.length });
      return false;
    }
  };
  const commit = (): Promise<boolean> => {
    writing = writing.then(flush);
    return writing;
  };

  return {
    timeline,
    stored,
    state,
    record,
    commit,
    amend,
    rowsFor(added) {
      const rows = added.map((message): Row => {
        calls.learn(message);
        const hidden = hide(message) as Message;
        const shown = options.trim === false ? hidden : shownForm(hidden, calls, options.trim ?? {}, counter);
        // What is sent holds its secrets as long as the process lives; what is kept, and all that is made of it, never does.
        return { message: hidden, shown: shown === hidden ? message : shown, at: now() };
      });
      return { rows, stored: rows.map((row) => storedRow(row, chunksOf(row.message, calls.callOf), hide)) };
    },
    add({ rows, stored: kept }) {
      timeline.add(rows);
      messages.push(...kept);
      plain &&= rows.every(({ message }) => message.parts.every((part) => part.type === 'text'));
    },
    isPlain: () => plain,
    rewind(keep) {
      record({ type: 'rewind', rows: timeline.rows.length, keep, at: now() });
      // What was held back belonged to what is gone.
      state.now = { ...state.now, guard: NO_GUARD, anchor: null };
      isChanged = true;
    },
    change(changes) {
      const next = { ...state.now, ...changes };
      if (JSON.stringify(next) === JSON.stringify(state.now) && events.length === 0) return Promise.resolve(true);
      state.now = next;
      isChanged = true;
      return commit();
    },
    itemsOf(view) {
      const rowOfMessage = new Map<Message, number>();
      for (const row of timeline.lineage) {
        const { message, shown } = timeline.rows[row] as Row;
        rowOfMessage.set(message, row).set(shown, row);
      }
      return view.map((message) => rowOfMessage.get(message) ?? message);
    },
    follow(given) {
      const at = (index: number): Row | undefined => timeline.rows[timeline.lineage[index] ?? -1];
      const says = (message: Message): string =>
        once(fingerprints, message, () => fingerprintOf(hide(message) as Message));
      const isSame = (index: number): boolean => {
        const row = at(index);
        const message = given[index];
        return row !== undefined && message !== undefined && says(row.message) === says(message);
      };
      let common = 0;
      for (; ; common++) {
        const message = given[common];
        if (isSame(common)) continue;
        const isPrompt = message?.role === 'system' && at(common)?.message.role === 'system';
        if (!isPrompt || message === undefined) break;
        amend(common, message);
      }
      for (const [index, message] of given.slice(0, common).entries()) {
        const row = at(index) as Row;
        const isTrimmed = row.shown !== row.message && row.shown.raw === undefined;
        if (row.message.raw === message.raw && (isTrimmed || row.shown.raw === message.raw)) continue;
        const count = counts.get(row.message);
        if (count !== undefined) counts.set(message, count);
        timeline.replace(timeline.lineage[index] as number, {
          ...row,
          message: options.redact === true ? row.message : message,
          shown: isTrimmed ? row.shown : message,
        });
      }
      return common;
    },
    refresh() {
      writing = writing.then(async () => {
        const more = await stored.loadAfter(timeline.rows.length, timeline.events.length);
        const rows = more.messages.map(rowOf);
        let added = 0;
        for (const event of more.events.map(eventOf)) {
          const until = Math.max(0, event.rows - timeline.rows.length);
          timeline.add(rows.slice(added, added + until));
          added += until;
          timeline.record(event);
        }
        timeline.add(rows.slice(added));
        state.now = readState(more.state);
        return true;
      });
      return writing.then(() => {});
    },
    async close() {
      const isWritten = options.access === 'read' || (await commit());
      await writing;
      await stored.close();
      if (!isWritten) throw failure;
    },
  };
}

function once<Key extends object, Value>(memo: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = memo.get(key) ?? make();
  memo.set(key, known);
  return known;
}
