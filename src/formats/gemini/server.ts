import type { ServerSigns } from '../server-state.ts';
import { contentListOf } from './wire.ts';

/** A cache on the server that holds the beginning, in a request or in the settings of an SDK (GEM-7). */
export const GEMINI_SERVER: ServerSigns = {
  rule: 'GEM-7',
  fields: ['cachedContent', 'cached_content', 'config.cachedContent', 'config.cached_content'],
  kindOf: () => null,
  listOf: contentListOf,
};
