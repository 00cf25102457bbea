import { messageListOf } from '../guards.ts';
import { byType, type ServerSigns } from '../server-state.ts';

/** A thread, the server's own compaction, or its edits of the context (ANT-11). */
export const ANTHROPIC_SERVER: ServerSigns = {
  rule: 'ANT-11',
  fields: ['thread', 'compaction', 'context_management'],
  kindOf: byType('compaction'),
  listOf: messageListOf,
};
