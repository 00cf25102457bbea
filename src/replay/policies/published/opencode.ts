import type { Policy } from '../policy.ts';
import { summaryPolicy } from '../summary-policy.ts';

/** Published defaults of OpenCode: it reserves room for the answer, and keeps a share of the rest as the tail. */
const RESERVED_TOKENS = 20_000;
const TAIL_SHARE = 0.25;
const LEAST_TAIL = 2_000;
const MOST_TAIL = 15_000;

export const opencode: Policy = summaryPolicy({
  id: 'opencode',
  title: 'OpenCode, published defaults',
  note: 'Above the window less 20,000 tokens all but the newest 15,000 tokens become a summary, by a call of its own.',
  trigger: (window) => window - RESERVED_TOKENS,
  head: 'system',
  tail: (window) => Math.min(MOST_TAIL, Math.max(LEAST_TAIL, Math.floor((window - RESERVED_TOKENS) * TAIL_SHARE))),
  isAligned: false,
});
