import type { Policy } from '../policy.ts';
import { summaryPolicy, usualTail } from '../summary-policy.ts';

const TRIGGER_SHARE = 0.85;

export const summary85: Policy = summaryPolicy({
  id: 'summary-85',
  title: 'summary at 85 %',
  note: 'Above 85 % of the window all but the task and the newest 20,000 tokens become a summary, by a call of its own.',
  trigger: (window) => window * TRIGGER_SHARE,
  tail: usualTail,
  isAligned: false,
});

export const summary85Aligned: Policy = summaryPolicy({
  id: 'summary-85-aligned',
  title: 'summary at 85 %, aligned',
  note: 'The same at the same size, but asked at the end of the conversation itself, which the cache has.',
  trigger: (window) => window * TRIGGER_SHARE,
  tail: usualTail,
  isAligned: true,
});
