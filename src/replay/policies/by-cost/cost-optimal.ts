import { bestTrigger, carryingRate, fixedCost } from '../../break-even/closed-forms.ts';
import { NO_RENT, observedColdShare } from '../../break-even/rent-rule.ts';
import type { Policy } from '../policy.ts';
import { summaryOf, usualTail } from '../summary-policy.ts';
import { expectedEvent } from './expected-event.ts';

/** Largest trigger as a share of the window, even when carrying is cheap. */
const MOST_SHARE = 0.85;

export const costOptimal: Policy = {
  id: 'cost-optimal',
  title: 'cost-optimal interval',
  note: 'An aligned summary at the size where growth, cache prices and the price of a summary balance, at most at 85 % of the window.',
  start: ({ window, fixedTokens }) => {
    let requests = 0;
    let coldRequests = 0;
    return {
      before: (view) => {
        requests += 1;
        coldRequests += view.isCold ? 1 : 0;
        const event = expectedEvent(view, fixedTokens);
        const rate = carryingRate(view.rules, observedColdShare({ ...NO_RENT, requests, coldRequests }));
        const best = bestTrigger(fixedCost(view.rules, event), rate, {
          after: event.after,
          perRequest: Math.max(1, view.growth),
        });
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
