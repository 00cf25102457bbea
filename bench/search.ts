import { memoryStore } from '../src/core/memory-store.ts';
import { toPiece } from '../src/core/piece.ts';
import { createChunker } from '../src/core/search/chunks.ts';
import { search } from '../src/core/search/search.ts';
import { createMeasure } from '../src/core/tokens/measure.ts';
import { o200k } from '../src/models/o200k.ts';
import { longSession } from './sessions.ts';

export interface SearchRow {
  readonly tokens: number;
  readonly chunks: number;
  readonly indexMs: number;
  readonly queryMs: number;
}

const QUESTIONS: readonly string[] = [
  'Which public interface must stay as it is?',
  'What is the limit per minute now?',
  'Why was "limits after the quota" flaky?',
  'Which file was renamed, and to what?',
];

/** Time to index a history in memory, and the mean time of a question to it. */
export async function searchSpeedOf(tokens: number): Promise<SearchRow> {
  const measure = createMeasure(o200k);
  const session = longSession(tokens, measure);
  const context = await memoryStore().open('bench', 'write');
  const started = performance.now();
  const chunker = createChunker();
  const messages = session.messages.map((message) => ({ ...toPiece(message), at: 0, chunks: chunker(message) }));
  await context.commit({ messages, events: [], state: null });
  const indexed = performance.now();
  const source = {
    search: context.search,
    messagesAt: async (indexes: readonly number[]) => indexes.flatMap((index) => session.messages[index] ?? []),
  };
  for (const question of QUESTIONS) await search(question, source, { counter: o200k });
  return {
    tokens: measure.conversation(session),
    chunks: messages.reduce((sum, { chunks }) => sum + chunks.length, 0),
    indexMs: indexed - started,
    queryMs: (performance.now() - indexed) / QUESTIONS.length,
  };
}
