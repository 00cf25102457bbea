import type { SearchAnswer } from '../../core/search/answer.ts';
import type { ContextParts } from '../context-parts.ts';
import type { RecallOptions } from '../recall/recall.ts';
import { countOne } from '../timeline/state.ts';

/** Answers a query of the agent, and counts it if the context may write. */
export async function recall(parts: ContextParts, query: string, asked: RecallOptions): Promise<SearchAnswer> {
  const { options, journal } = parts;
  if (options.access !== 'read') await journal.changeState(countOne(journal.state, 'recalls'));
  return parts.recall.find(query, asked);
}
