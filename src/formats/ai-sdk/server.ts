import { messageListOf } from '../guards.ts';
import { isCompaction } from '../hosted/ai-sdk-parts.ts';
import type { ServerSigns } from '../server-state.ts';

/** Settings under which a provider keeps or edits the history, and the parts in which it keeps its own compaction. */
export const AI_SDK_SERVER: ServerSigns = {
  rule: 'AIS-SERVER',
  fields: [
    'previousResponseId',
    'conversation',
    'contextManagement',
    'compaction',
    'compactionTrigger',
    'cachedContent',
  ].map((field) => `providerOptions.*.${field}`),
  kindOf: (part) => (isCompaction(part) ? 'compaction' : null),
  listOf: messageListOf,
};
