import { type Compaction, compact } from '../compact.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Message } from '../conversation/message.ts';
import type { Original } from '../conversation/ref.ts';
import { checkSound, extendSound, type SoundConversation } from '../conversation/sound.ts';
import { PrecisError } from '../errors.ts';
import type { DecodeNote, Format } from '../format.ts';
import { memoryStore } from '../memory-store.ts';
import type { CompactOptions } from '../options.ts';
import { afterCompaction, afterUndo, isHeld } from '../policy/guard.ts';
import type { Outcome, Receipt } from '../receipt.ts';
import type { SearchAnswer } from '../search/answer.ts';
import { heuristicCounter } from '../tokens/counter.ts';
import { createMeasure } from '../tokens/measure.ts';
import { readPressure } from '../tokens/pressure.ts';
import type { ModelWindow } from '../tokens/window.ts';
import { type ContextDiff, diffIn } from './diff.ts';
import { createEmitter, type EventName, type Listener } from './events.ts';
import { listOf, readMore } from './intake.ts';
import { openJournal } from './journal.ts';
import { type ContextMetrics, metricsOf } from './metrics.ts';
import { createModels, type Fallback } from './models.ts';
import type { ContextOptions, ContextWorld } from './options.ts';
import { createRecall, type RecallOptions } from './recall.ts';
import { createSizes } from './sizes.ts';
import type { ViewEvent } from './timeline.ts';

export interface Appended {
  /** Messages that were added to the history. */
  readonly messages: number;
  /** What was mended. */
  readonly notes: readonly DecodeNote[];
  /** False when the store could not take them: they are kept in memory and tried again. */
  readonly stored: boolean;
}

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
  /** False when the view is larger than the window and could not be made smaller. */
  readonly fits: boolean;
  readonly reason: string;
}

export interface PrepareOptions {
  readonly signal?: AbortSignal;
  /** Called with the characters a model has written so far. */
  readonly onText?: (characters: number) => void;
}

export interface CompactNowOptions extends PrepareOptions {
  /** Size that the view must not exceed. @default that of the policy */
  readonly target?: number;
  readonly focus?: string;
}

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
  /** What a compaction took out of the view. @default the newest */
  diff(id?: string): ContextDiff;
  compactions(): readonly ViewEvent[];
  /** The messages of an earlier view, with all that was said since; null for the whole history. */
  viewOf(id: string | null): readonly Message[];
  /** The original behind a ref or number, or what a question finds, within a budget of tokens. */
  recall(query: string, options?: RecallOptions): Promise<SearchAnswer>;
  /** The same for people and programs: it is not counted as a recall of the agent. */
  search(query: string, options?: RecallOptions): Promise<SearchAnswer>;
  original(ref: string): Original | null;
  /** A message, by its number, that stays word for word in every view. */
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
  const counter = options.counter ?? heuristicCounter;
  const now = options.now ?? world.now;
  const counts = new WeakMap<Message, number>();
  const measure = createMeasure(counter, 1, { counts });
  const emitter = createEmitter();
  const journal = await openJournal({ options, store: options.store ?? memoryStore(), emitter, now, counter, counts });
  const { timeline, state, change } = journal;
  const models = createModels(options, state);
  const sizes = createSizes({ timeline, measure, state, models, fixedTokens: options.fixedTokens ?? 0 });
  const recall = createRecall({ timeline, stored: journal.stored, counter });
  let format: Format | null = null;
  let request: {
    readonly epoch: number;
    readonly length: number;
    readonly value: SoundConversation;
    readonly wire: unknown;
  } | null = null;

  /** One compaction at a time. What is said or undone meanwhile does not wait: it changes the timeline at once. */
  let flight: Promise<unknown> = Promise.resolve();
  const inFlight = <T>(work: () => Promise<T>): Promise<T> => {
    const done = flight.then(work, work);
    flight = done.catch(() => {});
    return done;
  };

  const formatNow = (): Format => {
    const told = timeline.events.findLast((event) => event.type === 'format');
    format ??= told?.type === 'format' ? world.formatById(told.format) : null;
    if (format !== null) return format;
    throw new PrecisError('bad-option', `context ${options.id} is empty: append messages first`, { id: options.id });
  };

  const plainConversation = (messages: readonly Message[]): Conversation => {
    const told = timeline.events.findLast((event) => event.type === 'format');
    const shown = timeline.shown();
    return {
      format: formatNow().id,
      messages,
      history: timeline.history(),
      ...(shown.size === 0 ? {} : { shown }),
      ...(told?.type === 'format' && told.envelope !== null ? { envelope: told.envelope } : {}),
    };
  };

  /** The view as it is sent. Kept until it changes, so that asking again costs nothing. */
  const current = (): NonNullable<typeof request> => {
    const length = timeline.rows.length;
    if (request !== null && request.epoch === timeline.epoch && request.length === length) return request;
    const conversation = plainConversation(timeline.view());
    const checked =
      request?.epoch === timeline.epoch
        ? extendSound(request.value, conversation, formatNow())
        : checkSound(conversation, formatNow());
    if (checked.type === 'unsound') {
      const [issue] = checked.issues;
      throw new PrecisError('unsound', `message ${(issue?.message ?? 0) + 1}: ${issue?.text ?? 'unknown reason'}`, {});
    }
    const wire = formatNow().encode(checked.conversation);
    request = { epoch: timeline.epoch, length, value: checked.conversation, wire };
    return request;
  };

  const preparedAs = ({ outcome, receipt, reason }: Done): Prepared => {
    const tokens = sizes.now();
    const { threshold, window } = models.limits();
    return {
      request: current().wire,
      tokens,
      pressure: tokens / threshold,
      outcome,
      receipt,
      fits: tokens <= window,
      reason,
    };
  };

  const ingest = async (messages: readonly Message[], keep: number): Promise<boolean> => {
    if (keep < timeline.lineage.length) journal.rewind(keep);
    journal.add(messages);
    return journal.commit();
  };

  const checkWrite = (): void => {
    if (options.access === 'read')
      throw new PrecisError('locked', `context ${options.id} was opened for reading`, { id: options.id });
  };

  const formatFor = (wire: unknown): Format => {
    if (options.format === undefined) return world.formatOf(wire);
    const named = world.formatById(options.format);
    if (named !== null) return named;
    throw new PrecisError(
      'unknown-format',
      `Expected \`format\` to be the id of a format, got \`${options.format}\``,
      {},
    );
  };

  const start = async (given: unknown): Promise<Appended> => {
    const wire = envelopeOf(given) === null || listOf(given)[0] !== given ? given : [given];
    format = formatFor(wire);
    const { conversation, notes } = format.decode(wire);
    // The list itself is in the rows; only what stands around it is kept beside them.
    journal.record({
      type: 'format',
      rows: timeline.rows.length,
      format: format.id,
      envelope: envelopeOf(wire),
      at: now(),
    });
    const stored = await ingest(conversation.messages, 0);
    return { messages: conversation.messages.length, notes, stored };
  };

  /** A few words look alike in most formats. When what follows shows that it was another, the beginning is read again. */
  const startOver = async (more: unknown): Promise<Appended | null> => {
    if (options.format !== undefined || timeline.rows.length > FIRST_MESSAGES || timeline.views.length > 0) return null;
    const first = listOf(formatNow().encode(current().value));
    const whole = [...first, ...listOf(more)];
    const found = world.formatOf(whole);
    if (found.id === formatNow().id) return null;
    journal.rewind(0);
    const { messages, ...rest } = await start(whole);
    return { ...rest, messages: messages - first.length };
  };

  const append = async (wire: unknown): Promise<Appended> => {
    checkWrite();
    if (timeline.rows.length === 0) return start(wire);
    const early = await startOver(wire);
    if (early !== null) return early;
    const read = readMore(formatNow(), timeline.history(), wire);
    const stored = await ingest(read.messages, read.keep);
    return { messages: read.messages.length, notes: read.notes, stored };
  };

  /** Makes the result of a compaction the view, history first. */
  const commitView = async (
    { conversation, receipt }: Compaction,
    covers: number,
    before: ViewEvent | null,
  ): Promise<Receipt> => {
    const id = timeline.nextViewId();
    const kept: Receipt = { ...receipt, checkpoint: id };
    journal.record({
      type: 'view',
      id,
      rows: timeline.rows.length,
      covers,
      items: journal.itemsOf(conversation.messages),
      before: before?.id ?? null,
      receipt: kept,
      turn: state.now.counters.requests,
      at: now(),
    });
    const { runway } = models.limits();
    await change({
      guard: afterCompaction(state.now.guard, { ...receipt.tokens, said: sizes.said(), runway }),
      anchor: null,
    });
    emitter.emit('compaction:end', { id, receipt: kept });
    return kept;
  };

  /** Carries out one compaction on the view as it is now. Appends may come meanwhile; they stay behind what it made. */
  const runCompaction = async (asked: CompactNowOptions & { readonly force: boolean }): Promise<Done> => {
    const limits = models.limits();
    const { epoch } = timeline;
    const covers = timeline.lineage.length;
    const before = timeline.current;
    emitter.emit('compaction:start', { tokens: sizes.now(), target: asked.target ?? limits.foldTarget });
    let made: Compaction;
    try {
      made = await compact(current().value, formatNow(), {
        ...compactOptions(options, asked),
        ...models.limitsInput(),
        ...(asked.target === undefined ? {} : { target: asked.target }),
        counter,
        counts,
        tokenFactor: sizes.factor(),
        pinned: new Set(
          state.now.pins.flatMap((number) => timeline.rows[timeline.lineage[number - 1] ?? -1]?.message ?? []),
        ),
        force: asked.force,
        now,
      });
    } catch (error) {
      await change({ counters: { ...state.now.counters, failed: state.now.counters.failed + 1 } });
      emitter.emit('compaction:failed', { error });
      if (PrecisError.is(error) && error.code === 'aborted') throw error;
      return {
        outcome: 'refused',
        receipt: null,
        reason: error instanceof Error ? error.message : 'the compaction broke',
      };
    }
    const { receipt, outcome } = made;
    const said = sizes.said();
    if (outcome === 'unchanged' || outcome === 'refused') {
      if (outcome === 'refused') {
        const { before: size } = receipt.tokens;
        const guard = afterCompaction(state.now.guard, { before: size, after: size, said, runway: limits.runway });
        await change({ guard, counters: { ...state.now.counters, refused: state.now.counters.refused + 1 } });
        emitter.emit('compaction:refused', { reason: receipt.reason, receipt });
      }
      return { outcome, receipt, reason: receipt.reason };
    }
    // A late result never takes the place of a newer view.
    if (timeline.epoch !== epoch) {
      const reason = 'the view changed while it was being compacted';
      emitter.emit('compaction:refused', { reason, receipt: { ...receipt, reason } });
      return untouched(reason);
    }
    const kept = await commitView(made, covers, before);
    return { outcome, receipt: kept, reason: receipt.reason };
  };

  const prepare = async (asked: PrepareOptions): Promise<Prepared> => {
    const { threshold, window } = models.limits();
    const size = sizes.now();
    const isOver = size > window;
    const isDue = size > threshold && (isOver || !isHeld(state.now.guard, sizes.said()));
    const done = isDue && options.access !== 'read' ? await runCompaction({ ...asked, force: false }) : null;
    const after = sizes.now();
    const reading = readPressure(state.now.pressure, after, threshold);
    const { counters } = state.now;
    if (options.access !== 'read')
      await change({
        pressure: reading.state,
        sent: sizes.estimate(),
        counters: { ...counters, requests: counters.requests + 1 },
      });
    if (reading.reached !== null)
      emitter.emit('pressure', {
        level: reading.reached,
        pressure: reading.pressure,
        tokens: after,
        threshold,
        turnsLeft: reading.turnsLeft,
      });
    if (done !== null) return preparedAs(done);
    const reason =
      size > threshold
        ? 'compacting is held back: it would free too little now'
        : `${size} tokens fit into ${threshold}`;
    return preparedAs(untouched(reason));
  };

  const select = async (id: string | null, cause: 'undo' | 'restore'): Promise<Prepared> => {
    journal.record({ type: 'select', rows: timeline.rows.length, id, cause, at: now() });
    const { counters, guard } = state.now;
    await change({
      guard: afterUndo(guard, sizes.said(), models.limits().runway),
      anchor: null,
      counters: cause === 'undo' ? { ...counters, undone: counters.undone + 1 } : counters,
    });
    emitter.emit('view:selected', { id, cause, tokens: sizes.now() });
    return preparedAs(untouched(id === null ? 'the whole history again' : `the view of ${id} again`));
  };

  /** After the window changed: what no longer fits is compacted at once. */
  const compactToFit = async (): Promise<Prepared> => {
    const { threshold } = models.limits();
    if (sizes.now() <= threshold) return preparedAs(untouched('the view fits'));
    const done = await runCompaction({ force: false });
    return preparedAs(done);
  };

  const use = async (model: string | ModelWindow): Promise<void> => {
    const from = models.active()?.id ?? null;
    const to = models.find(model);
    if (to.id === from) return;
    await change({ model: to.id, anchor: null });
    emitter.emit('model:switched', { from, to: to.id, window: models.limits().window });
  };

  const fallback = async (error: unknown): Promise<Fallback> => {
    const failure = world.failureOf(error);
    if (failure.kind !== 'overflow') {
      const next = models.next();
      if (next === null)
        return {
          action: 'give-up',
          model: models.active()?.id ?? null,
          reason: failure.message,
          failure,
          prepared: null,
        };
      await use(next);
      return { action: 'switch', model: next.id, reason: failure.message, failure, prepared: await compactToFit() };
    }
    const before = sizes.now();
    const overflows = state.now.overflows + 1;
    await change({ overflows, ...models.learn(failure.learnedWindow, before) });
    const done = await runCompaction({ force: true });
    if (sizes.now() < before)
      return {
        action: 'retry',
        model: models.active()?.id ?? null,
        reason: done.reason,
        failure,
        prepared: preparedAs(done),
      };
    const larger = models.larger();
    if (larger !== null) {
      await use(larger);
      return { action: 'switch', model: larger.id, reason: done.reason, failure, prepared: await compactToFit() };
    }
    return { action: 'give-up', model: models.active()?.id ?? null, reason: done.reason, failure, prepared: null };
  };

  /** Takes in a whole list, of which the beginning may be known. */
  const take = async (wire: unknown): Promise<void> => {
    checkWrite();
    if (timeline.rows.length === 0) {
      await start(wire);
      return;
    }
    await takeDecoded(formatNow().decode(wire).conversation.messages);
  };

  const takeDecoded = async (messages: readonly Message[]): Promise<boolean> => {
    const keep = journal.commonWith(messages);
    if (journal.renew(messages.slice(0, keep))) request = null;
    return ingest(messages.slice(keep), keep);
  };

  const absorb = async (conversation: Conversation): Promise<Appended> => {
    checkWrite();
    if (timeline.rows.length === 0) {
      format = world.formatById(conversation.format);
      const envelope = envelopeOf(conversation.envelope);
      journal.record({ type: 'format', rows: 0, format: conversation.format, envelope, at: now() });
    }
    const before = timeline.lineage.length;
    const stored = await takeDecoded(conversation.messages);
    return { messages: Math.max(0, timeline.lineage.length - before), notes: [], stored };
  };

  const setPins = async (pins: readonly number[]): Promise<void> => {
    checkWrite();
    await change({ pins });
  };

  const context: Context = {
    id: options.id,
    append,
    prepare: (asked = {}) => inFlight(() => prepare(asked)),
    async apply(wire, asked = {}) {
      await take(wire);
      return context.prepare(asked);
    },
    absorb,
    async accept(compaction) {
      checkWrite();
      if (compaction.receipt.edits.length === 0) return null;
      const history = timeline.history();
      const made = compaction.conversation.history ?? [];
      if (made.length !== history.length || made.some((message, index) => message !== history[index]))
        throw new PrecisError('bad-option', 'Expected a compaction of this very history, got one of another', {});
      return (await commitView(compaction, history.length, timeline.current)).checkpoint;
    },
    async observe(usage) {
      checkWrite();
      await change({ ...sizes.observed(usage), overflows: 0 });
    },
    compact: (asked = {}) =>
      inFlight(async () => {
        checkWrite();
        const done = await runCompaction({ ...asked, force: true });
        return preparedAs(done);
      }),
    useModel: (model) =>
      inFlight(async () => {
        await use(model);
        return compactToFit();
      }),
    fallback: (error) => inFlight(() => fallback(error)),
    async undo() {
      checkWrite();
      const { current: view } = timeline;
      return view === null ? null : select(view.before, 'undo');
    },
    async restore(id) {
      checkWrite();
      timeline.viewOf(id);
      return select(id, 'restore');
    },
    diff: (id) => diffIn(timeline, id, measure),
    compactions: () => timeline.views,
    viewOf: (id) => timeline.viewOf(id),
    async recall(query, asked = {}) {
      const { counters } = state.now;
      if (options.access !== 'read') await change({ counters: { ...counters, recalls: counters.recalls + 1 } });
      return recall.recall(query, asked);
    },
    search: (query, asked = {}) => recall.recall(query, asked),
    original: (ref) => recall.original(ref),
    async pin(number) {
      const { length } = timeline.lineage;
      if (timeline.lineage[number - 1] === undefined)
        throw new PrecisError('bad-option', `Expected the number of a message, 1 to ${length}, got \`${number}\``, {
          number,
        });
      await setPins([...new Set([...state.now.pins, number])]);
    },
    unpin: (number) => setPins(state.now.pins.filter((each) => each !== number)),
    metrics: () => metricsOf(timeline.events, state.now, { tokens: sizes.now(), threshold: models.limits().threshold }),
    on: (name, listener) => emitter.on(name, listener),
    conversation: () => current().value,
    refresh: () => journal.refresh(),
    async close() {
      await flight;
      await journal.close();
      emitter.clear();
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
  return context;
}

/** So many messages may pass before the format is certain. */
const FIRST_MESSAGES = 4;

/** How a compaction came out. */
interface Done {
  readonly outcome: Outcome;
  readonly receipt: Receipt | null;
  readonly reason: string;
}

function untouched(reason: string): Done {
  return { outcome: 'unchanged', receipt: null, reason };
}

function compactOptions(options: ContextOptions, asked: CompactNowOptions): CompactOptions {
  const { summarizer, aligned, template, openReasoning } = options;
  const focus = asked.focus ?? options.focus;
  return {
    ...(summarizer === undefined ? {} : { summarizer }),
    ...(aligned === undefined ? {} : { aligned }),
    ...(template === undefined ? {} : { template }),
    ...(openReasoning === undefined ? {} : { openReasoning }),
    ...(focus === undefined ? {} : { focus }),
    ...(asked.signal === undefined ? {} : { signal: asked.signal }),
    ...(asked.onText === undefined ? {} : { onText: asked.onText }),
  };
}

/** What stands around the messages of a request, without them; null when there is nothing. */
function envelopeOf(wire: unknown): unknown {
  if (Array.isArray(wire) || typeof wire !== 'object' || wire === null) return null;
  const list = listOf(wire);
  return Object.fromEntries(Object.entries(wire).map(([key, value]) => [key, value === list ? [] : value]));
}
