import { limitsFor } from '../../../core/tokens/window.ts';
import type { Policy } from '../policy.ts';
import { summaryPolicy } from '../summary-policy.ts';

/** Published defaults of Hermes: the same threshold by window as the engine, and a tail with a token budget. */
const LEAST_TAIL = 10_000;
const MOST_TAIL = 25_000;
const TAIL_SHARE = 0.025;

export const hermes: Policy = summaryPolicy({
  id: 'hermes',
  title: 'Hermes, published defaults',
  note: 'Above 75 % of the window (50 % from 512,000 on) all but task and a tail of 10,000 to 25,000 tokens become a summary.',
  trigger: (window) => limitsFor({ window }).threshold,
  tail: (window) => Math.min(MOST_TAIL, Math.max(LEAST_TAIL, Math.floor(window * TAIL_SHARE))),
  isAligned: false,
});
