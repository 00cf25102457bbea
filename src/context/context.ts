import type { Compaction } from '../core/compact.ts';
import type { Conversation } from '../core/conversation/conversation.ts';
import type { Message } from '../core/conversation/message.ts';
import type { Original } from '../core/conversation/ref.ts';
import type { SoundConversation } from '../core/conversation/sound.ts';
import type { SearchAnswer } from '../core/search/answer.ts';
import type { ModelWindow } from '../core/tokens/window.ts';
import { createCalls } from './calls.ts';
import { acceptFromHost } from './compaction/accept.ts';
import type { CompactNowOptions, PrepareOptions } from './compaction/compact-options.ts';
import { openParts } from './context-parts.ts';
import type { EventName, Listener } from './events.ts';
import { type Fallback, fallback } from './methods/fallback.ts';
import { observe } from './methods/observe.ts';
import { passThrough } from './methods/pass-through.ts';
import { pin, unpin } from './methods/pins.ts';
import { compactNow, prepare } from './methods/prepare.ts';
import type { Prepared } from './methods/prepared.ts';
import { recall } from './methods/recall.ts';
import { restore, undo } from './methods/select-view.ts';
import { takeMessages } from './methods/take-messages.ts';
import { useModel } from './methods/use-model.ts';
import { type ContextMetrics, metricsOf } from './metrics.ts';
import { type ContextOptions, type ContextWorld, checkContextOptions } from './options.ts';
import type { RecallOptions } from './recall/recall.ts';
import { type ContextDiff, diffIn } from './timeline/diff.ts';
import type { ViewEvent } from './timeline/event.ts';
import type { Appended } from './wire/incoming.ts';
import type { AppendOptions } from './wire/speakers.ts';

/** The living context of an agent loop: append what is said, prepare what is sent, observe what it cost. */
export interface Context {
  /** Name of the context in its store. */
  readonly id: string;

  /** Adds wire messages: a list, one message, or the first request with everything around its messages. */
  append(wire: unknown, options?: AppendOptions): Promise<Appended>;
  /** Takes a whole list of decoded messages and adds those it has not seen. It prepares nothing. */
  absorb(conversation: Conversation): Promise<Appended>;
  /** Takes a whole list, recognises the messages it has seen, and prepares the view. For hosts that send everything each time. */
  apply(wire: unknown, options?: PrepareOptions): Promise<Prepared>;
  /** Takes the provider's `usage` of the last request, as the provider sent it. Later sizes follow its count. */
  observe(usage: unknown): Promise<void>;

  /** Returns the view to send now, and compacts it first when that is due. Never throws for a bad summary. */
  prepare(options?: PrepareOptions): Promise<Prepared>;
  /** Compacts now, whatever the size of the view. */
  compact(options?: CompactNowOptions): Promise<Prepared>;
  /** Makes your own compaction of `conversation()` the view. Returns its id, or null when it changed nothing. */
  accept(compaction: Compaction): Promise<string | null>;

  /** Switches to a model of the chain by its id, or to a new one. Compacts at once when the view is too large for it. */
  useModel(model: string | ModelWindow): Promise<Prepared>;
  /** Says what to do after a failed request. An overflow corrects the window and compacts; other failures lead to the next model. */
  fallback(error: unknown): Promise<Fallback>;

  /** Takes the last compaction back. Returns null when there is none. */
  undo(): Promise<Prepared | null>;
  /** Goes to the view right after a compaction; null goes to the whole history. */
  restore(id: string | null): Promise<Prepared>;
  /** Shows what a compaction took out of the view. @default the newest compaction */
  diff(id?: string): ContextDiff;
  /** Lists the compactions that `restore` can go to, oldest first. */
  compactions(): readonly ViewEvent[];
  /** Returns the id of the compaction whose view is sent now; null when nothing is compacted. */
  viewId(): string | null;
  /** Returns the messages of an earlier view and all messages since; null gives the whole history. */
  viewOf(id: string | null): readonly Message[];

  /** Returns the original behind a ref or number, or passages that answer a question, within a budget of tokens. */
  recall(query: string, options?: RecallOptions): Promise<SearchAnswer>;
  /** Does the same for people and programs, and does not count as a recall of the agent. */
  search(query: string, options?: RecallOptions): Promise<SearchAnswer>;
  /** Returns the call, result or messages behind a ref such as `⟦r:3f9a12c4d5e6f⟧`; null when no view ever showed it. */
  original(ref: string): Original | null;
  /** Keeps a message word for word in every later view, by its number, counted from 1. A trimmed message becomes whole again. */
  pin(number: number): Promise<void>;
  /** Lets later compactions shorten a pinned message again. */
  unpin(number: number): Promise<void>;

  /** Returns figures for the whole life of the context, restarts included. */
  metrics(): ContextMetrics;
  /** Calls a listener for each event with this name. Returns a function that removes the listener. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  /** Returns the view and its history, for `compact()` and other functions of the engine. */
  conversation(): SoundConversation;
  /** Reads what another process has written since the last call. Only for `access: 'read'`. */
  refresh(): Promise<void>;
  /** Writes everything that is waiting and releases the lease. Rejects when the store could not write. */
  close(): Promise<void>;
  /** Closes the context, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a context. It reads the history and the log from the store, and changes nothing. */
export async function openContextIn(options: ContextOptions, world: ContextWorld): Promise<Context> {
  checkContextOptions(options);
  const parts = await openParts(options, world);
  const { journal, wire, models, sizes, emitter } = parts;
  const { timeline } = journal;
  const { checkOpen, write, enqueueWrite, ...calls } = createCalls(options);
  const context: Context = {
    id: options.id,

    append: (given, stated) => write(() => takeMessages(parts, () => wire.append(given, stated))),
    absorb: (conversation) => write(() => takeMessages(parts, () => wire.absorb(conversation))),
    apply: (given, asked) =>
      write(async () => {
        const kept = wire.readKept(given);
        if (kept !== null) return passThrough(parts, kept, given);
        await takeMessages(parts, () => wire.takeWholeList(given));
        return context.prepare(asked);
      }),
    observe: (usage) => write(() => observe(parts, usage)),

    prepare: (asked = {}) =>
      calls.enqueue(() => {
        checkOpen();
        return prepare(parts, asked);
      }),
    compact: (asked = {}) => enqueueWrite(() => compactNow(parts, asked)),
    accept: (compaction) => write(() => acceptFromHost(parts, compaction)),

    useModel: (model) => enqueueWrite(() => useModel(parts, model)),
    fallback: (error) => enqueueWrite(() => fallback(parts, error)),

    undo: () => write(() => undo(parts)),
    restore: (id) => write(() => restore(parts, id)),
    diff: (id) => diffIn(timeline, parts.measure, id),
    compactions: () => timeline.views,
    viewId: () => timeline.current?.id ?? null,
    viewOf: (id) => timeline.viewOf(id),

    async recall(query, asked = {}) {
      checkOpen();
      return recall(parts, query, asked);
    },
    search: (query, asked = {}) => parts.recall.find(query, asked),
    original: (ref) => parts.recall.original(ref),
    pin: (number) => write(() => pin(parts, number)),
    unpin: (number) => write(() => unpin(parts, number)),

    metrics: () =>
      metricsOf(timeline.events, journal.state, {
        tokens: sizes.request(),
        threshold: models.limits().threshold,
        account: sizes.account(),
      }),
    on: (name, listener) => emitter.on(name, listener),
    conversation: () => wire.current().conversation,
    refresh: () => journal.refresh(),
    close: () => calls.close(() => journal.close().finally(() => emitter.clear())),
    [Symbol.asyncDispose]: () => context.close(),
  };
  return context;
}
