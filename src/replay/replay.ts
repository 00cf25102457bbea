import type { CacheRules } from './cache/rules/cache-rules.ts';
import { type ModelName, rulesForGap, rulesForModel } from './cache/rules/for-model.ts';
import { calibrationOf, type SessionCalibration } from './calibration/session-calibration.ts';
import { type SessionRow, sessionRowOf } from './metrics/session-row.ts';
import { optimumUsdOf } from './optimum/session-optimum.ts';
import { policies as allPolicies } from './policies/policies.ts';
import type { Policy } from './policies/policy.ts';
import type { ReplayConditions } from './simulate/options.ts';
import type { ReplayResult } from './simulate/result.ts';
import { simulate } from './simulate/simulate.ts';
import type { Trace } from './trace/trace.ts';

/** Options of `replayTrace`. */
export interface ReplayOptions extends ReplayConditions {
  /** Prices and cache rules. Every policy is billed under each. */
  readonly prices: readonly CacheRules[];
  /** Policies to replay. @default all that come with precis */
  readonly policies?: readonly Policy[];
  /**
   * The model of the session. With it, the result says how well its cache rules predict the recorded usage. Leave it out for sessions that the
   * agent compacted itself, because their requests were not the recorded messages. @default null
   */
  readonly model?: ModelName | null;
}

/** One session under every policy and all prices. */
export interface ReplayedSession {
  /** Figures that are the same for every policy. */
  readonly row: SessionRow;
  /** One result for each policy and set of rules. */
  readonly results: readonly ReplayResult[];
}

/** Replays a session under every policy and all prices, and finds the optimum for comparison. */
export async function replayTrace(trace: Trace, options: ReplayOptions): Promise<ReplayedSession> {
  const { prices, policies = allPolicies, model = null, ...conditions } = options;
  const { window } = conditions;
  const results: ReplayResult[] = [];
  for (const rules of prices)
    for (const policy of policies) results.push(await simulate(trace, { ...conditions, policy, rules }));
  const optimumUsd = Object.fromEntries(
    prices.flatMap((rules) => {
      const usd = optimumUsdOf(trace, rules, window);
      return usd === null ? [] : [[rules.id, usd] as const];
    }),
  );
  const calibration = model === null ? null : modelCalibration(trace, model);
  return { row: { ...sessionRowOf(trace, window), optimumUsd, calibration }, results };
}

function modelCalibration(trace: Trace, model: ModelName): SessionCalibration | null {
  const { rules } = rulesForModel({ provider: model.provider, id: model.id });
  return calibrationOf(trace, (gapMs) => rulesForGap(rules, gapMs));
}
