import { PrecisError } from '../../core/errors.ts';
import { createMemoryIndex, type MemoryIndex } from '../../core/search/memory-index.ts';
import type { Access, Batch, ContextInfo, Piece, Store, StoredContext, StoredEvent, StoredMessage } from './store.ts';

/** Creates a store that lives as long as the process. It is the default, and the simplest example of a store. */
export function memoryStore(): Store {
  const contexts = new Map<string, MemoryContext>();
  return {
    async open(id, access) {
      const context = contexts.get(id) ?? {
        messages: [],
        events: [],
        state: null,
        index: createMemoryIndex(),
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
      contexts.set(id, context);
      return openMemory(id, context, access);
    },
    contexts: async () => [...contexts].filter(([, { isMade }]) => isMade).map(([id, context]) => infoOf(id, context)),
    close: async () => {
      for (const context of contexts.values()) context.isWritten = false;
    },
  };
}

interface MemoryContext {
  readonly messages: StoredMessage[];
  readonly events: StoredEvent[];
  state: string | null;
  readonly index: MemoryIndex;
  isWritten: boolean;
  /** False until somebody opens the context for writing. */
  isMade: boolean;
}

function openMemory(id: string, context: MemoryContext, access: Access): StoredContext {
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

function write(context: MemoryContext, batch: Batch): void {
  // The whole batch is copied before any of it is kept, so an unreadable batch changes nothing.
  const messages = batch.messages.map(copyOf);
  const events = batch.events.map(copyOf);
  for (const message of messages) {
    context.index.add(context.messages.length, message.chunks);
    context.messages.push({ ...message, chunks: [] });
  }
  for (const event of events) context.events.push(event);
  if (batch.state !== null) context.state = batch.state;
}

function copyOf<T extends Piece>(piece: T): T {
  return { ...piece, contents: [...piece.contents] };
}

function infoOf(id: string, { messages, events }: MemoryContext): ContextInfo {
  let [firstAt, lastAt]: [number | null, number | null] = [null, null];
  for (const list of [messages, events])
    for (const { at } of list) {
      firstAt = Math.min(firstAt ?? at, at);
      lastAt = Math.max(lastAt ?? at, at);
    }
  return { id, messages: messages.length, events: events.length, firstAt, lastAt };
}
