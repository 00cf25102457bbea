import type { Message } from '../../core/conversation/message.ts';
import { createChunker } from '../../core/search/chunks.ts';
import { createMemoryIndex } from '../../core/search/memory-index.ts';
import { search } from '../../core/search/search.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import { type Haystack, haystackOf } from '../survival/match/haystack.ts';
import { viewText } from '../survival/view-text.ts';

/** Size of the answer to the one search that an agent may make. */
export const RECALL_TOKENS = 1_500;

export interface Recalled {
  readonly text: string;
  readonly tokens: number;
}

/** The beginnings of a session. `upTo` is the number of messages. */
export interface SessionPrefixes {
  text(upTo: number): Haystack;
  /** Searches once with the question itself, as an agent would that has no better query. */
  recall(upTo: number, question: string): Promise<Recalled>;
}

/** Prepares each beginning of the session once, however often it is used. */
export function createSessionPrefixes(messages: readonly Message[], counter: TokenCounter): SessionPrefixes {
  const texts = new Map<number, Haystack>();
  const recallers = new Map<number, Promise<Recaller>>();
  return {
    text(upTo) {
      const text = texts.get(upTo) ?? haystackOf(viewText(messages.slice(0, upTo)));
      texts.set(upTo, text);
      return text;
    },
    async recall(upTo, question) {
      const recaller = recallers.get(upTo) ?? createRecaller(messages.slice(0, upTo), counter);
      recallers.set(upTo, recaller);
      return (await recaller)(question);
    },
  };
}

type Recaller = (question: string) => Promise<Recalled>;

async function createRecaller(messages: readonly Message[], counter: TokenCounter): Promise<Recaller> {
  const index = createMemoryIndex();
  const chunker = createChunker();
  for (const [at, message] of messages.entries()) index.add(at, chunker(message));
  const source = {
    search: async (words: readonly string[], limit: number) => index.search(words, limit),
    messagesAt: async (indexes: readonly number[]) => indexes.flatMap((at) => messages[at] ?? []),
  };
  return async (question) => {
    const { hits, tokens } = await search(question, source, { tokens: RECALL_TOKENS, counter });
    return {
      text: hits.map((hit) => `${hit.role}${hit.tool === undefined ? '' : ` ${hit.tool}`}:\n${hit.text}`).join('\n\n'),
      tokens,
    };
  };
}
