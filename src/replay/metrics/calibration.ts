import { longestLiveGapMs, predict } from '../cache/calibrate.ts';
import { sessionCostErrorOf, usageErrorOf } from '../cache/usage-error.ts';
import { fixedBlock, itemsOf } from '../trace/blocks.ts';
import type { CacheRules, Trace } from '../types.ts';

/** How far the model of the cache is off a session's own log. */
export interface CalibrationRow {
  /** Rules of the model that the session ran on. */
  readonly rules: string;
  readonly requests: number;
  /** Sum of the differences over the sum of what was recorded: tokens read, request by request, and the price of all prompts. */
  readonly read: number | null;
  readonly cost: number | null;
}

/**
 * Predicted against recorded usage, without any policy; null where nothing was recorded. The rules may depend on the longest pause after which
 * the log shows a hit, since that tells which lifetime a client asked for.
 */
export function calibrationOf(trace: Trace, rulesFor: (longestLiveGapMs: number) => CacheRules): CalibrationRow | null {
  const recorded = trace.requests.filter((request) => request.recorded !== null);
  if (recorded.length < 2 || recorded.every((request) => request.recorded?.cachedInputTokens === 0)) return null;
  const items = itemsOf(trace);
  const fixed = fixedBlock(trace.fixedTokens);
  const session = {
    name: trace.name,
    requests: trace.requests.map(({ at, to, outputTokens, recorded: usage }) => ({
      blocks: [...fixed, ...items.slice(0, to)],
      at,
      outputTokens,
      recorded: usage,
    })),
  };
  const rules = rulesFor(longestLiveGapMs(session));
  const pairs = predict(session, rules);
  if (pairs.length === 0) return null;
  return {
    rules: rules.id,
    requests: pairs.length,
    read: usageErrorOf(rules, pairs).read.wape,
    cost: sessionCostErrorOf(rules, [pairs]).wape,
  };
}
