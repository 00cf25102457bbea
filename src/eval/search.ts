import type { Message } from '../core/conversation/message.ts';
import { memoryStore } from '../core/memory-store.ts';
import { createChunker } from '../core/search/chunks.ts';
import { search } from '../core/search/search.ts';
import type { TokenCounter } from '../core/tokens/counter.ts';

/** Size of the answer to the one search an agent is granted. */
export const RECALL_TOKENS = 1_500;

export interface Recalled {
  readonly text: string;
  readonly tokens: number;
}

/** One search in all that was said, with the question as it is: what the recall tool gives an agent that asks nothing better. */
export async function createRecaller(
  messages: readonly Message[],
  counter: TokenCounter,
): Promise<(question: string) => Promise<Recalled>> {
  const context = await memoryStore().open('eval', 'write');
  const chunker = createChunker();
  const indexed = messages.map((message) => ({ body: '', contents: [], at: 0, chunks: chunker(message) }));
  await context.commit({ messages: indexed, events: [], state: null });
  const source = {
    search: context.search,
    messagesAt: async (indexes: readonly number[]) => indexes.flatMap((index) => messages[index] ?? []),
  };
  return async (question) => {
    const { hits, tokens } = await search(question, source, { tokens: RECALL_TOKENS, counter });
    return {
      text: hits.map((hit) => `${hit.role}${hit.tool === undefined ? '' : ` ${hit.tool}`}:\n${hit.text}`).join('\n\n'),
      tokens,
    };
  };
}
