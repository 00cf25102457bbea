import { afterRequest, decideRent, NO_RENT, type RentRule } from '../../break-even/rent-rule.ts';
import { tokensOf } from '../../cache/block.ts';
import type { Policy } from '../policy.ts';
import { summaryOf, usualTail } from '../summary-policy.ts';
import { expectedEvent } from './expected-event.ts';

/** Share of the window that a request may fill. The rest is room for the answer. */
const MOST_SHARE = 0.85;

export const rent: Policy = {
  id: 'rent',
  title: 'rent rule',
  note: 'An aligned summary once carrying the excess has cost as much as a summary would; nothing is forecast.',
  start: ({ window, rules, fixedTokens }) => {
    let state = NO_RENT;
    let sent = 0;
    return {
      before: (view) => {
        const rule: RentRule = { rules, event: expectedEvent(view, fixedTokens), window: window * MOST_SHARE };
        const appended = Math.max(0, view.tokens - sent);
        const seen = { carried: view.tokens - appended, appended, isCold: view.isCold, isLegalCut: view.isLegalCut };
        const { compact, reason, paid } = decideRent(rule, state, seen);
        const change = compact
          ? summaryOf(
              view,
              { tail: usualTail, isAligned: !view.isCold },
              `${reason}: carrying the excess has cost ${Math.round(paid)} tokens`,
            )
          : null;
        const left = change === null ? null : fixedTokens + tokensOf(change.view);
        state = afterRequest(rule, state, { ...seen, leftTokens: left === null ? null : left - appended });
        sent = left ?? view.tokens;
        return change;
      },
    };
  },
};
