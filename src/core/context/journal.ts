import type { Message } from '../conversation/message.ts';
import { fingerprintOf } from '../conversation/ref.ts';
import { chunksOf } from '../search/chunks.ts';
import type { Batch, Store, StoredContext, StoredEvent, StoredMessage } from '../store.ts';
import type { TokenCounter } from '../tokens/counter.ts';
import type { Emitter } from './events.ts';
import { createCallIndex, shownForm } from './insertion.ts';
import { eventOf, hideSecrets, rowOf, storedEvent, storedRow } from './kept.ts';
import type { ContextOptions } from './options.ts';
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

/** The timeline of a context and its store, kept in step: what changes in one is written to the other, history first. */
export interface Journal {
  readonly timeline: Timeline;
  readonly stored: StoredContext;
  readonly state: { readonly now: ContextState };
  /** Adds messages to the history, in the form they will have in the view. Written by the next `commit`. */
  add(messages: readonly Message[]): void;
  record(event: ContextEvent): void;
  rewind(keep: number): void;
  /** Writes what is waiting. False when the store could not: it waits on, and the context works from memory. */
  commit(): Promise<boolean>;
  change(changes: Partial<ContextState>): Promise<boolean>;
  /** A view as rows of the history and what was written besides. */
  itemsOf(messages: readonly Message[]): readonly ViewItem[];
  /** How many messages a list has in common with the history, from the start. */
  commonWith(messages: readonly Message[]): number;
  /** Takes the host's newest objects for messages it has sent before: they may carry other cache markers. True when there were any. */
  renew(messages: readonly Message[]): boolean;
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

  const record = (event: ContextEvent): void => {
    timeline.record(event);
    events.push(storedEvent(event, hide));
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
    add(added) {
      const rows = added.map((message): Row => {
        calls.learn(message);
        const shown = options.trim === false ? message : shownForm(message, calls, options.trim ?? {}, counter);
        return { message, shown, at: now() };
      });
      timeline.add(rows);
      for (const row of rows) messages.push(storedRow(row, chunksOf(hide(row.message) as Message, calls.callOf), hide));
    },
    rewind: (keep) => record({ type: 'rewind', rows: timeline.rows.length, keep, at: now() }),
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
    commonWith(given) {
      const same = (row: number | undefined, message: Message | undefined): boolean => {
        const known = timeline.rows[row ?? -1]?.message;
        return (
          known !== undefined &&
          message !== undefined &&
          (known.raw === message.raw && known.raw !== undefined
            ? true
            : fingerprintOf(known) === fingerprintOf(message))
        );
      };
      let common = 0;
      while (same(timeline.lineage[common], given[common])) common++;
      return common;
    },
    renew(given) {
      let isNew = false;
      for (const [index, message] of given.entries()) {
        const number = timeline.lineage[index] ?? -1;
        const row = timeline.rows[number] as Row;
        if (row.message.raw === message.raw) continue;
        isNew = true;
        const count = counts.get(row.message);
        if (count !== undefined) counts.set(message, count);
        timeline.replace(number, { ...row, message, shown: row.shown === row.message ? message : row.shown });
      }
      return isNew;
    },
    async refresh() {
      const more = await stored.loadAfter(timeline.rows.length, timeline.events.length);
      const rows = more.messages.map(rowOf);
      let added = 0;
      for (const event of more.events.map(eventOf)) {
        const until = event.rows - timeline.rows.length;
        timeline.add(rows.slice(added, added + Math.max(0, until)));
        added += Math.max(0, until);
        timeline.record(event);
      }
      timeline.add(rows.slice(added));
      state.now = readState(more.state);
    },
    async close() {
      if (options.access !== 'read') await commit();
      await writing;
      await stored.close();
    },
  };
}
