import type { Policy } from '../types.ts';
import { createColdShare, expectedOf } from './money.ts';
import { SUMMARY_TOKENS, summaryOf, usualTail } from './summary.ts';

const MOST_SHARE = 0.85;

export const rent: Policy = {
  id: 'rent',
  title: 'rent rule',
  note: 'An aligned summary once carrying the excess has cost as much as a summary would; nothing is forecast.',
  start: ({ window, fixedTokens }) => {
    const coldShare = createColdShare();
    let paid = 0;
    return {
      before: (view) => {
        const { after, event, rate } = expectedOf(view, fixedTokens, coldShare(view.isCold));
        const excess = Math.max(0, view.tokens - after);
        const { write, output } = view.rules;
        // Cold, the call reads everything at full price, and what is dropped need not be written anew.
        const isDue = view.isCold
          ? paid + write * excess >= view.tokens + output * SUMMARY_TOKENS
          : paid + rate * excess >= event;
        const isFull = view.tokens > window * MOST_SHARE;
        if ((!isDue && !isFull) || view.sinceEvent < 2) {
          paid += (view.isCold ? write : rate) * excess;
          return null;
        }
        const change = summaryOf(
          view,
          { tail: usualTail, isAligned: !view.isCold },
          isFull && !isDue ? 'above 85 % of the window' : `carrying the excess has cost ${Math.round(paid)} tokens`,
        );
        if (change !== null) paid = 0;
        return change;
      },
    };
  },
};
