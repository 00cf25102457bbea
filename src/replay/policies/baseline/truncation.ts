import { truncated } from '../../view/edits.ts';
import type { Policy } from '../policy.ts';

const TRIGGER_SHARE = 0.85;
const TARGET_SHARE = 0.5;

export const truncation: Policy = {
  id: 'truncation',
  title: 'drop the oldest',
  note: 'Above 85 % of the window the oldest steps are dropped, down to half of it; prompt and task stay.',
  start: ({ window, fixedTokens }) => ({
    before: ({ view, tokens }) => {
      if (tokens <= window * TRIGGER_SHARE) return null;
      const short = truncated(view, Math.floor(window * TARGET_SHARE) - fixedTokens);
      return short === view ? null : { op: 'truncate', view: short, calls: [], reason: 'above 85 % of the window' };
    },
  }),
};
