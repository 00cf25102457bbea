import type { Message } from '../../core/conversation/message.ts';
import { createChunker } from '../../core/search/chunks.ts';
import { createMemoryIndex } from '../../core/search/memory-index.ts';
import { search } from '../../core/search/search.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';

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
  const index = createMemoryIndex();
  const chunker = createChunker();
  for (const [at, message] of messages.entries()) index.add(at, chunker(message));
  const source = {
    search: async (words: readonly string[], limit: number) => index.search(words, limit),
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
