import type { Policy } from '../policy.ts';
import { summaryPolicy } from '../summary-policy.ts';

/** Published defaults of Codex: it compacts at 90 % of the window and keeps user messages of at most 20,000 tokens. */
const TRIGGER_SHARE = 0.9;
const USER_TOKENS = 20_000;

export const codex: Policy = summaryPolicy({
  id: 'codex',
  title: 'Codex, published defaults',
  note: 'Above 90 % of the window only user messages (20,000 tokens) and a summary stay; the call shares the prefix.',
  trigger: (window) => window * TRIGGER_SHARE,
  head: 'system',
  tail: () => 0,
  userTokens: USER_TOKENS,
  isAligned: true,
});
