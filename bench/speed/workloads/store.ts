import { join } from 'node:path';
import { toPiece } from '../../../src/context/store/piece.ts';
import type { StoredContext, StoredMessage } from '../../../src/context/store/store.ts';
import { createChunker } from '../../../src/core/search/chunks.ts';
import { openaiChat } from '../../../src/formats/index.ts';
import { sqliteStore } from '../../../src/stores/index.ts';
import { turns } from '../../../test/agent-wire.ts';
import type { Given, Workload } from '../workload.ts';
import { historyOf } from './history.ts';

/** Answering is quick, so several places of the history are looked for in one run. */
const QUERIES = 8;
const NEW_TURNS = 60;

const committing: Workload = {
  name: 'store-commit',
  what: 'commit one message to a SQLite file without waiting for the disk',
  prepare: async (given) => {
    const { context, tokens } = await filled(given);
    const more = storedOf(openaiChat.decode(turns(1, NEW_TURNS, 10)).conversation.messages);
    let n = 0;
    const run = () => {
      const message = more[n++ % more.length];
      return context.commit({ messages: message === undefined ? [] : [message], events: [], state: null });
    };
    return { tokens, run, grows: true };
  },
};

const loading: Workload = {
  name: 'store-load',
  what: 'load the whole history from the file',
  prepare: async (given) => {
    const { context, tokens } = await filled(given);
    return { tokens, run: () => context.load() };
  },
};

const finding: Workload = {
  name: 'store-search',
  what: 'search the file for four words',
  prepare: async (given) => {
    const { context, tokens, stored } = await filled(given);
    const queries = Array.from({ length: QUERIES }, (_, query) => {
      const message = stored[Math.floor((query * stored.length) / QUERIES)];
      return message?.chunks[0]?.words.slice(0, 4) ?? [];
    });
    const run = async () => {
      for (const words of queries) await context.search(words, 20);
    };
    return { tokens, run, operations: QUERIES };
  },
};

export const storeWorkloads: readonly Workload[] = [committing, loading, finding];

interface Filled {
  readonly context: StoredContext;
  readonly tokens: number;
  readonly stored: readonly StoredMessage[];
}

/** A file that holds the history. How long a disk takes says nothing of us, so commits do not wait for it. */
async function filled(given: Given): Promise<Filled> {
  const { conversation, tokens } = historyOf(given);
  const stored = storedOf(conversation.messages);
  const store = sqliteStore(join(given.folder, `${process.pid}.db`), { synchronous: 'normal' });
  const context = await store.open('bench', 'write');
  await context.commit({ messages: stored, events: [], state: null });
  return { context, tokens, stored };
}

function storedOf(messages: readonly Parameters<ReturnType<typeof createChunker>>[0][]): readonly StoredMessage[] {
  const chunker = createChunker();
  return messages.map((message, at) => ({ ...toPiece(message), at, chunks: chunker(message) }));
}
