import type { Policy } from '../policy.ts';
import { summaryPolicy } from '../summary-policy.ts';

/** Published defaults of pi 1.5: `reserveTokens` and `keepRecentTokens`. */
const RESERVED_TOKENS = 16_384;
const KEPT_TOKENS = 20_000;

export const pi: Policy = summaryPolicy({
  id: 'pi',
  title: 'pi, published defaults',
  note: 'Above the window less 16,384 tokens all but the newest 20,000 tokens become a summary, by a call of its own.',
  trigger: (window) => window - RESERVED_TOKENS,
  head: 'system',
  tail: () => KEPT_TOKENS,
  isAligned: false,
});
