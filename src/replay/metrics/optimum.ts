import { limitsFor } from '../../core/tokens/window.ts';
import { findOptimum, fixedOperator, optimumRequestsOf } from '../optimum/optimum.ts';
import { SUMMARY_TOKENS, usualTail } from '../policies/summary.ts';
import { headLength } from '../policies/view.ts';
import { itemsOf, tokensOf } from '../trace/blocks.ts';
import type { CacheRules, Trace } from '../types.ts';

/**
 * The cheapest course of a session for one who knows how it goes on, in dollars; null when the window cannot be kept. It may use what the
 * policies use: an aligned summary that leaves the usual tail, or a fold without a call that leaves what the engine aims at. It does not trim
 * at insertion, so a policy that does may cost less.
 */
export function optimumUsdOf(trace: Trace, rules: CacheRules, window: number): number | null {
  const items = itemsOf(trace);
  const stable = trace.fixedTokens + tokensOf(items.slice(0, headLength(items, 'task')));
  const room = Math.max(16, window - trace.fixedTokens);
  const found = findOptimum({
    rules,
    window,
    requests: optimumRequestsOf(trace),
    operators: [
      fixedOperator({
        id: 'summary',
        call: 'aligned',
        summary: SUMMARY_TOKENS,
        stable,
        after: stable + SUMMARY_TOKENS + usualTail(window),
      }),
      fixedOperator({
        id: 'fold',
        call: 'none',
        summary: 0,
        stable,
        after: Math.max(stable, trace.fixedTokens + limitsFor({ window: room }).foldTarget),
      }),
    ],
  });
  return found === null ? null : found.usd;
}
