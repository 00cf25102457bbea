import { limitsFor } from '../../core/tokens/window.ts';
import { tokensOf } from '../cache/block.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import { SUMMARY_TOKENS, usualTail } from '../policies/summary-policy.ts';
import type { Trace } from '../trace/trace.ts';
import { itemsOf } from '../view/item.ts';
import { headLength } from '../view/places.ts';
import { findOptimum } from './optimum.ts';
import { fixedOperator, optimumRequestsOf } from './problem.ts';

/**
 * Returns the price in US dollars of the cheapest course for someone who knows the whole session; null when no course keeps to the window. It
 * may use the operators of the policies: an aligned summary that leaves the usual tail, or a fold without a call that leaves the engine's
 * target. It does not trim messages as they come in, so a policy that does may cost less.
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
