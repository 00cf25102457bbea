import { messageListOf } from '../guards.ts';
import { byType, type ServerSigns } from '../server-state.ts';

/** Options of a call under which a provider keeps or edits the history, and blocks in which it keeps its own compaction. */
export const LANGCHAIN_SERVER: ServerSigns = {
  rule: 'LC-SERVER',
  fields: ['previous_response_id', 'conversation', 'context_management', 'contextManagement', 'cachedContent'],
  kindOf: byType('compaction'),
  listOf: messageListOf,
};
