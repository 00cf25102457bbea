import { PrecisError } from './errors.ts';
import type {
  Access,
  Batch,
  Candidate,
  ContextInfo,
  IndexedChunk,
  Piece,
  Store,
  StoredContext,
  StoredEvent,
  StoredMessage,
} from './store.ts';

/** A store that lives as long as the process: the default, and the plain statement of what every store does. */
export function memoryStore(): Store {
  const kept = new Map<string, Kept>();
  return {
    async open(id, access) {
      const context = kept.get(id) ?? {
        messages: [],
        events: [],
        state: null,
        index: createIndex(),
        isWritten: false,
        isMade: false,
      };
      if (access === 'write') {
        if (context.isWritten)
          throw new PrecisError(
            'locked',
            `context ${id} is open for writing already; close it first, or open it for reading`,
            { id },
          );
        context.isWritten = true;
        context.isMade = true;
      }
      kept.set(id, context);
      return opened(id, context, access);
    },
    contexts: async () => [...kept].filter(([, { isMade }]) => isMade).map(([id, context]) => infoOf(id, context)),
    close: async () => {
      for (const context of kept.values()) context.isWritten = false;
    },
  };
}

interface Kept {
  readonly messages: StoredMessage[];
  readonly events: StoredEvent[];
  state: string | null;
  readonly index: Index;
  isWritten: boolean;
  /** Who only looks makes nothing. */
  isMade: boolean;
}

function opened(id: string, context: Kept, access: Access): StoredContext {
  let isOpen = true;
  return {
    id,
    access,
    load: async () => ({ messages: [...context.messages], events: [...context.events], state: context.state }),
    loadAfter: async (messages, events) => ({
      messages: context.messages.slice(messages),
      events: context.events.slice(events),
      state: context.state,
    }),
    commit: async (batch) => {
      if (access === 'read' || !isOpen)
        throw new PrecisError('locked', `context ${id} is not open for writing`, { id });
      write(context, batch);
    },
    search: async (words, limit) => context.index.search(words, limit),
    messagesAt: async (indexes) => indexes.flatMap((index) => context.messages[index] ?? []),
    close: async () => {
      if (access === 'write' && isOpen) context.isWritten = false;
      isOpen = false;
    },
  };
}

function write(context: Kept, batch: Batch): void {
  // Copied as a whole before anything is kept: a batch that cannot be read to its end leaves nothing.
  const messages = batch.messages.map(copied);
  const events = batch.events.map(copied);
  for (const message of messages) {
    context.index.add(context.messages.length, message.chunks);
    context.messages.push({ ...message, chunks: [] });
  }
  for (const event of events) context.events.push(event);
  if (batch.state !== null) context.state = batch.state;
}

function copied<T extends Piece>(piece: T): T {
  return { ...piece, contents: [...piece.contents] };
}

function infoOf(id: string, { messages, events }: Kept): ContextInfo {
  let [firstAt, lastAt]: [number | null, number | null] = [null, null];
  for (const list of [messages, events])
    for (const { at } of list) {
      firstAt = Math.min(firstAt ?? at, at);
      lastAt = Math.max(lastAt ?? at, at);
    }
  return { id, messages: messages.length, events: events.length, firstAt, lastAt };
}

interface Index {
  add(message: number, chunks: readonly IndexedChunk[]): void;
  search(words: readonly string[], limit: number): readonly Candidate[];
}

/** Words of the BM25 ranking: how soon repetition stops to count, and how much long chunks are held back. */
const REPETITION = 1.2;
const LENGTH = 0.75;

function createIndex(): Index {
  const chunks: { readonly message: number; readonly chunk: number; readonly length: number }[] = [];
  const postings = new Map<string, Map<number, number>>();
  let total = 0;
  return {
    add(message, added) {
      for (const [chunk, { words }] of added.entries()) {
        const at = chunks.push({ message, chunk, length: words.length }) - 1;
        total += words.length;
        for (const word of words) {
          const places = postings.get(word) ?? new Map<number, number>();
          postings.set(word, places.set(at, (places.get(at) ?? 0) + 1));
        }
      }
    },
    search(words, limit) {
      const mean = total / Math.max(1, chunks.length);
      const scores = new Map<number, number>();
      for (const word of new Set(words)) {
        const places = postings.get(word);
        if (places === undefined) continue;
        const rarity = Math.log(1 + (chunks.length - places.size + 0.5) / (places.size + 0.5));
        for (const [at, count] of places) {
          const long = 1 - LENGTH + (LENGTH * (chunks[at]?.length ?? 0)) / mean;
          const part = (rarity * count * (REPETITION + 1)) / (count + REPETITION * long);
          scores.set(at, (scores.get(at) ?? 0) + part);
        }
      }
      return [...scores]
        .sort(([leftAt, left], [rightAt, right]) => right - left || leftAt - rightAt)
        .slice(0, limit)
        .map(([at, score]) => ({ message: chunks[at]?.message ?? 0, chunk: chunks[at]?.chunk ?? 0, score }));
    },
  };
}
