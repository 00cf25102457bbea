import type { Policy } from '../types.ts';
import { createColdShare, expectedOf } from './money.ts';
import { summaryOf, usualTail } from './summary.ts';

/** However cheap carrying is, the window comes. */
const MOST_SHARE = 0.85;

export const costOptimal: Policy = {
  id: 'cost-optimal',
  title: 'cost-optimal interval',
  note: 'An aligned summary at the size where growth, cache prices and the price of a summary balance, at most at 85 % of the window.',
  start: ({ window, fixedTokens }) => {
    const coldShare = createColdShare();
    return {
      before: (view) => {
        const { after, event, rate } = expectedOf(view, fixedTokens, coldShare(view.isCold));
        const best = after + Math.sqrt((2 * event * Math.max(1, view.growth)) / rate);
        const trigger = Math.min(best, window * MOST_SHARE);
        if (view.tokens <= trigger || view.sinceEvent < 2) return null;
        return summaryOf(
          view,
          { tail: usualTail, isAligned: !view.isCold },
          `${view.tokens} tokens are above the cheapest trigger, ${Math.round(trigger)}`,
        );
      },
    };
  },
};
