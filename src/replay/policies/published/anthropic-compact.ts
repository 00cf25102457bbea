import type { Policy } from '../policy.ts';
import { summaryPolicy } from '../summary-policy.ts';

/** Default trigger of Anthropic's compaction on the server. */
const TRIGGER_TOKENS = 150_000;

export const anthropicCompact: Policy = summaryPolicy({
  id: 'anthropic-compact',
  title: 'Anthropic: compaction',
  note: 'Emulates compaction on the server: above 150,000 tokens (or 85 % of a smaller window) all becomes a summary.',
  trigger: (window) => Math.min(TRIGGER_TOKENS, window * 0.85),
  head: 'system',
  tail: () => 0,
  isAligned: true,
});
