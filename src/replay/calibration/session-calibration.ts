import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { Trace } from '../trace/trace.ts';
import { predict } from './predict.ts';
import { calibrationSessionOf, longestLiveGapMs } from './session.ts';
import { sessionCostErrorOf, usageErrorOf } from './usage-error.ts';

/** How far the cache rules are off the recorded usage of one session. */
export interface SessionCalibration {
  /** Id of the rules of the session's own model. */
  readonly rules: string;
  /** Requests that were compared. */
  readonly requests: number;
  /** Error in tokens read, request by request: the sum of differences over the sum recorded; null when no read was recorded. */
  readonly read: number | null;
  /** Error in the price of all prompts, as a share of the recorded price; null when that is 0. */
  readonly cost: number | null;
}

/**
 * Compares predicted with recorded usage, without any policy; null when the log has no cache usage. `rulesFor` gets the longest pause in
 * milliseconds after which the log shows a hit, since that tells which lifetime the client asked for.
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
