import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { Trace } from '../trace/trace.ts';
import { predict } from './predict.ts';
import { calibrationSessionOf, longestLiveGapMs } from './session.ts';
import { sessionCostErrorOf, usageErrorOf } from './usage-error.ts';

/** How well the cache rules predict the recorded usage of one session. */
export interface SessionCalibration {
  /** Id of the rules of the session's own model. */
  readonly rules: string;
  /** Requests that were compared. */
  readonly requests: number;
  /** Error in the tokens read by each request: the sum of differences divided by the recorded sum; null when no read was recorded. */
  readonly read: number | null;
  /** Error in the price of all prompts, as a share of the recorded price; null when that is 0. */
  readonly cost: number | null;
}

/**
 * Compares predicted with recorded usage, without any policy. Returns null when the log has no cache usage. `rulesFor` gets the longest pause
 * before a hit, in milliseconds, because that shows which lifetime the client asked for.
 */
export function calibrationOf(
  trace: Trace,
  rulesFor: (longestLiveGapMs: number) => CacheRules,
): SessionCalibration | null {
  const recorded = trace.requests.filter((request) => request.recorded !== null);
  if (recorded.length < 2 || recorded.every((request) => request.recorded?.cachedInputTokens === 0)) return null;
  const session = calibrationSessionOf(trace);
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
