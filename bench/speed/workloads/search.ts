import { memoryStore } from '../../../src/context/store/memory-store.ts';
import { toPiece } from '../../../src/context/store/piece.ts';
import type { StoredContext } from '../../../src/context/store/store.ts';
import { createChunker } from '../../../src/core/search/chunks.ts';
import { search } from '../../../src/core/search/search.ts';
import { o200k } from '../../../src/models/o200k.ts';
import type { Workload } from '../workload.ts';
import { type History, historyOf } from './history.ts';

const QUESTIONS: readonly string[] = [
  'Which public interface must stay as it is?',
  'What is the limit per minute now?',
  'Why was "limits after the quota" flaky?',
  'Which file was renamed, and to what?',
];

const indexing: Workload = {
  name: 'search-index',
  what: 'index the history in memory',
  prepare: (given) => {
    const history = historyOf(given);
    return { tokens: history.tokens, run: () => indexed(history) };
  },
};

const asking: Workload = {
  name: 'search-ask',
  what: 'answer a question from that index',
  prepare: async (given) => {
    const history = historyOf(given);
    const { messages } = history.conversation;
    const context = await indexed(history);
    const source = {
      search: context.search,
      messagesAt: async (indexes: readonly number[]) => indexes.flatMap((index) => messages[index] ?? []),
    };
    const run = async () => {
      for (const question of QUESTIONS) await search(question, source, { counter: o200k });
    };
    return { tokens: history.tokens, run, operations: QUESTIONS.length };
  },
};

export const searchWorkloads: readonly Workload[] = [indexing, asking];

async function indexed({ conversation }: History): Promise<StoredContext> {
  const context = await memoryStore().open('bench', 'write');
  const chunker = createChunker();
  const messages = conversation.messages.map((message) => ({ ...toPiece(message), at: 0, chunks: chunker(message) }));
  await context.commit({ messages, events: [], state: null });
  return context;
}
