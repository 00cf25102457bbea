import type { Policy } from '../policy.ts';
import { summaryPolicy } from '../summary-policy.ts';

/** Published defaults of Gemini CLI: it compacts at half of the window and keeps the newest 30 %; a second call checks the first. */
const TRIGGER_SHARE = 0.5;
const KEPT_SHARE = 0.3;
const CALLS = 2;

export const geminiCli: Policy = summaryPolicy({
  id: 'gemini-cli',
  title: 'Gemini CLI, published defaults',
  note: 'Above half of the window all but the newest 30 % become a summary; two calls read all that was said.',
  trigger: (window) => window * TRIGGER_SHARE,
  head: 'system',
  tail: (_window, tokens) => Math.floor(tokens * KEPT_SHARE),
  isAligned: false,
  calls: CALLS,
  reads: 'all',
});
