import type { Compaction } from '../core/compact.ts';
import type { Conversation } from '../core/conversation/conversation.ts';
import type { Message } from '../core/conversation/message.ts';
import type { Original } from '../core/conversation/ref.ts';
import type { SoundConversation } from '../core/conversation/sound.ts';
import { PrecisError } from '../core/errors.ts';
import { afterUndo, isHeld } from '../core/plan/guard.ts';
import type { Outcome, Receipt } from '../core/receipt/receipt.ts';
import type { SearchAnswer } from '../core/search/answer.ts';
import { heuristicCounter } from '../core/tokens/counter.ts';
import { createMeasure } from '../core/tokens/measure.ts';
import { readPressure } from '../core/tokens/pressure.ts';
import type { ModelWindow } from '../core/tokens/window.ts';
import { type CompactionRequest, createCompactor, type Done, untouched } from './compaction/compactor.ts';
import { createFallback, type Fallback } from './compaction/fallback.ts';
import { createModels } from './compaction/models.ts';
import { createSizes } from './compaction/sizes.ts';
import { createEmitter, type EventName, type Listener } from './events.ts';
import { type Appended, createSpeech } from './intake/speech.ts';
import { type ContextMetrics, metricsOf } from './metrics.ts';
import { type ContextOptions, type ContextWorld, checkContextOptions } from './options.ts';
import { createRecall, type RecallOptions } from './recall/recall.ts';
import { memoryStore } from './store/memory-store.ts';
import { type ContextDiff, diffIn } from './timeline/diff.ts';
import { openJournal } from './timeline/journal.ts';
import type { ViewEvent } from './timeline/timeline.ts';

/** What to send. */
export interface Prepared {
  /** The view in the wire format that came in: the same object while nothing changes. */
  readonly request: unknown;
  readonly tokens: number;
  /** Size as a part of the threshold. */
  readonly pressure: number;
  /** `unchanged` when the view did not have to be touched. */
  readonly outcome: Outcome;
  readonly receipt: Receipt | null;
  /** False when the view is larger than the window of the model in use and could not be made smaller. */
  readonly fits: boolean;
  readonly reason: string;
}

export interface PrepareOptions {
  readonly signal?: AbortSignal;
  /** Called with the characters a model has written so far. */
  readonly onText?: (characters: number) => void;
}

export type CompactNowOptions = Omit<CompactionRequest, 'force'>;

/** What an agent loop holds: append what is said, prepare what is sent, observe what it cost. */
export interface Context {
  readonly id: string;
  /** Adds wire messages: a list, one message, or the first request with all that is around its messages. */
  append(wire: unknown): Promise<Appended>;
  /** The view to send now, compacted first when that is due. Never throws for a bad summary. */
  prepare(options?: PrepareOptions): Promise<Prepared>;
  /** For hosts that send everything each time: takes the whole list, recognises what it has seen, and gives the view of it. */
  apply(wire: unknown, options?: PrepareOptions): Promise<Prepared>;
  /** The same for messages that are decoded already, without preparing anything. */
  absorb(conversation: Conversation): Promise<Appended>;
  /** Takes the result of a `compact()` of the caller's own on `conversation()` as the view. Null when nothing changed; else its id. */
  accept(compaction: Compaction): Promise<string | null>;
  /** What the provider counted for the last request, in the form it sent. */
  observe(usage: unknown): Promise<void>;
  /** Compacts now, whatever the size. */
  compact(options?: CompactNowOptions): Promise<Prepared>;
  useModel(model: string | ModelWindow): Promise<Prepared>;
  /** What to do after a request failed: an overflow teaches the window and compacts, other failures lead to the next model. */
  fallback(error: unknown): Promise<Fallback>;
  /** Takes the last compaction back; null when there is none. */
  undo(): Promise<Prepared | null>;
  /** Goes to the view right after a compaction, or with null to the whole history. */
  restore(id: string | null): Promise<Prepared>;
  /** What a compaction took out of the view. @default the newest that was made */
  diff(id?: string): ContextDiff;
  compactions(): readonly ViewEvent[];
  /** Id of the compaction whose view is sent now; null when nothing is compacted. */
  viewId(): string | null;
  /** The messages of an earlier view, with all that was said since; null for the whole history. */
  viewOf(id: string | null): readonly Message[];
  /** The original behind a ref or number, or what a question finds, within a budget of tokens. */
  recall(query: string, options?: RecallOptions): Promise<SearchAnswer>;
  /** The same for people and programs: it is not counted as a recall of the agent. */
  search(query: string, options?: RecallOptions): Promise<SearchAnswer>;
  original(ref: string): Original | null;
  /** A message, by its number, that stays word for word in every view from now on, trimmed or not. */
  pin(number: number): Promise<void>;
  unpin(number: number): Promise<void>;
  metrics(): ContextMetrics;
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  /** The view and its history, for `compact()` and other functions of the engine. */
  conversation(): SoundConversation;
  /** What another process has written since; only for `access: 'read'`. */
  refresh(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a context. Nothing is read but what its store holds of it. */
export async function openContextIn(options: ContextOptions, world: ContextWorld): Promise<Context> {
  checkContextOptions(options);
  const counter = options.counter ?? heuristicCounter;
  const now = options.now ?? world.now;
  const counts = new WeakMap<Message, number>();
  const measure = createMeasure(counter, 1, { counts });
  const emitter = createEmitter();
  const journal = await openJournal({ options, store: options.store ?? memoryStore(), emitter, now, counter, counts });
  const { timeline, state, change } = journal;
  const models = createModels(options, state);
  const sizes = createSizes({ timeline, measure, state, models, fixedTokens: options.fixedTokens ?? null });
  const recall = createRecall({ timeline, stored: journal.stored, counter });
  const speech = createSpeech(options, world, journal, now);
  const compactor = createCompactor({ options, journal, speech, models, sizes, emitter, counter, counts, now });
  let isClosed = false;

  /** One compaction at a time. What is said or undone meanwhile does not wait: it changes the timeline at once. */
  let flight: Promise<unknown> = Promise.resolve();
  const inFlight = <T>(work: () => Promise<T>): Promise<T> => {
    const done = flight.then(work, work);
    flight = done.catch(() => {});
    return done;
  };
  const checkOpen = (): void => {
    if (isClosed) throw new PrecisError('bad-option', `context ${options.id} is closed`, { id: options.id });
  };
  const checkWrite = (): void => {
    checkOpen();
    if (options.access === 'read')
      throw new PrecisError('locked', `context ${options.id} was opened for reading`, { id: options.id });
  };

  const preparedAs = ({ outcome, receipt, reason }: Done): Prepared => {
    const tokens = sizes.now();
    return {
      request: speech.current().wire,
      tokens,
      pressure: tokens / models.limits().threshold,
      outcome,
      receipt,
      fits: tokens <= models.ownWindow(),
      reason,
    };
  };

  /** Compacts when it is due. A result that came too late is tried for once more. */
  const compactIfDue = async (asked: PrepareOptions): Promise<Done | null> => {
    let done: Done | null = null;
    for (let tries = 0; tries < 2; tries++) {
      const { threshold, window } = models.limits();
      const size = sizes.now();
      const isDue = size > threshold && (size > window || !isHeld(state.now.guard, sizes.said()));
      if (!isDue) return done;
      done = await compactor.run({ ...asked, force: false });
      if (done.outcome !== 'unchanged' || done.receipt !== null) return done;
    }
    return done;
  };

  const prepare = async (asked: PrepareOptions): Promise<Prepared> => {
    checkOpen();
    const isReader = options.access === 'read';
    const done = isReader ? null : await compactIfDue(asked);
    const { threshold } = models.limits();
    const size = sizes.now();
    const reading = readPressure(state.now.pressure, size, threshold);
    const { counters } = state.now;
    if (!isReader)
      await change({
        pressure: reading.state,
        sent: sizes.estimate(),
        counters: { ...counters, requests: counters.requests + 1 },
      });
    const { reached, pressure, turnsLeft } = reading;
    if (reached !== null) emitter.emit('pressure', { level: reached, pressure, tokens: size, threshold, turnsLeft });
    if (done !== null) return preparedAs(done);
    const held = 'compacting is held back: it would free too little now';
    return preparedAs(untouched(size > threshold ? held : `${size} tokens fit into ${threshold}`));
  };

  const select = async (id: string | null, cause: 'undo' | 'restore'): Promise<Prepared> => {
    journal.record({ type: 'select', rows: timeline.rows.length, id, cause, at: now() });
    const { counters, guard } = state.now;
    await change({
      guard: afterUndo(guard, sizes.said(), models.limits().rearm),
      anchor: null,
      counters: cause === 'undo' ? { ...counters, undone: counters.undone + 1 } : counters,
    });
    emitter.emit('view:selected', { id, cause, tokens: sizes.now() });
    return preparedAs(untouched(id === null ? 'the whole history again' : `the view of ${id} again`));
  };

  /** After the window changed: what no longer fits is compacted at once. */
  const compactToFit = async (): Promise<Prepared> => {
    if (sizes.now() <= models.limits().threshold) return preparedAs(untouched('the view fits'));
    return preparedAs(await compactor.run({ force: false }));
  };

  const use = async (model: string | ModelWindow): Promise<void> => {
    const from = models.active()?.id ?? null;
    const changes = models.use(model);
    await change({ ...changes, anchor: null });
    const to = models.activeId();
    if (to !== from) emitter.emit('model:switched', { from, to, window: models.limits().window });
  };

  const fallback = createFallback({ world, models, sizes, journal, compactor, use, compactToFit, preparedAs });

  const setPins = async (pins: readonly number[]): Promise<void> => {
    await change({ pins });
  };
  const rowAt = (number: number): number => {
    const row = timeline.lineage[number - 1];
    if (row !== undefined) return row;
    const text = `Expected the number of a message, 1 to ${timeline.lineage.length}, got \`${number}\``;
    throw new PrecisError('bad-option', text, { number });
  };

  const context: Context = {
    id: options.id,
    async append(wire) {
      checkWrite();
      return speech.append(wire);
    },
    prepare: (asked = {}) => inFlight(() => prepare(asked)),
    async apply(wire, asked = {}) {
      checkWrite();
      await speech.take(wire);
      return context.prepare(asked);
    },
    async absorb(conversation) {
      checkWrite();
      return speech.absorb(conversation);
    },
    async accept(compaction) {
      checkWrite();
      if (compaction.receipt.edits.length === 0) return null;
      const history = timeline.history();
      const made = compaction.conversation.history ?? [];
      if (made.length !== history.length || made.some((message, index) => message !== history[index]))
        throw new PrecisError('bad-option', 'Expected a compaction of this very history, got one of another', {});
      return (await compactor.accept(compaction, history.length, timeline.current)).checkpoint;
    },
    async observe(usage) {
      checkWrite();
      await change({ ...sizes.observed(usage), overflows: 0 });
    },
    compact: (asked = {}) =>
      inFlight(async () => {
        checkWrite();
        return preparedAs(await compactor.run({ ...asked, force: true }));
      }),
    useModel: (model) =>
      inFlight(async () => {
        checkWrite();
        await use(model);
        return compactToFit();
      }),
    fallback: (error) =>
      inFlight(async () => {
        checkWrite();
        return fallback(error);
      }),
    async undo() {
      checkWrite();
      const { current } = timeline;
      return current === null ? null : select(current.before, 'undo');
    },
    async restore(id) {
      checkWrite();
      timeline.viewOf(id);
      return select(id, 'restore');
    },
    diff: (id) => diffIn(timeline, id, measure),
    compactions: () => timeline.views,
    viewId: () => timeline.current?.id ?? null,
    viewOf: (id) => timeline.viewOf(id),
    async recall(query, asked = {}) {
      checkOpen();
      const { counters } = state.now;
      if (options.access !== 'read') await change({ counters: { ...counters, recalls: counters.recalls + 1 } });
      return recall.recall(query, asked);
    },
    search: (query, asked = {}) => recall.recall(query, asked),
    original: (ref) => recall.original(ref),
    async pin(number) {
      checkWrite();
      const row = rowAt(number);
      const { message, shown } = timeline.rows[row] ?? {};
      if (message !== undefined && shown?.raw === undefined && shown !== message) journal.amend(number - 1, message);
      await setPins([...new Set([...state.now.pins, row])]);
    },
    async unpin(number) {
      checkWrite();
      const row = rowAt(number);
      await setPins(state.now.pins.filter((each) => each !== row));
    },
    metrics: () => metricsOf(timeline.events, state.now, { tokens: sizes.now(), threshold: models.limits().threshold }),
    on: (name, listener) => emitter.on(name, listener),
    conversation: () => speech.current().value,
    refresh: () => journal.refresh(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await flight;
      try {
        await journal.close();
      } finally {
        emitter.clear();
      }
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
  return context;
}
