import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { Policy } from '../policies/policy.ts';
import type { ReplayedSession } from '../replay.ts';
import type { ReplayResult } from '../simulate/result.ts';
import { USUAL_PACE_MS } from '../trace/from-session.ts';
import { median, sum } from './averages.ts';
import { metricsOf, type ReplayMetrics } from './metrics.ts';
import type { SessionRow } from './session-row.ts';

/** All figures of a replay. The functions of `precis/report` need nothing else. */
export interface ReplaySummary {
  /** Version of this shape. */
  readonly version: 1;
  /** Tokens that a request may hold. */
  readonly window: number;
  /** Milliseconds assumed between requests where a log has no times. */
  readonly paceMs: number;
  /** The policies, in the order of the reports. */
  readonly policies: readonly Pick<Policy, 'id' | 'title' | 'note'>[];
  /** Prices and cache rules that every policy was billed under. */
  readonly prices: readonly CacheRules[];
  /** The sessions that were replayed. */
  readonly sessions: readonly SessionRow[];
  /** One result for each session, policy and set of rules. */
  readonly results: readonly ReplayResult[];
  /** Sessions that could not be replayed, and why. */
  readonly failures: readonly { readonly session: string; readonly error: string }[];
  /** Metrics of each policy and set of rules over all sessions. */
  readonly pooled: readonly ReplayMetrics[];
  /** The same over the sessions that fit the window without a cut. */
  readonly fitting: readonly ReplayMetrics[];
  /** Cost of each policy as a multiple of the optimum. */
  readonly toOptimum: readonly OptimumRatio[];
  /** Sessions that fit the window and still cost more than without compaction, by policy and rules. */
  readonly dearer: readonly { readonly policy: string; readonly rules: string; readonly sessions: number }[];
  /** Median error of the cache rules over the sessions with recorded cache usage; null when there is none. */
  readonly calibration: { readonly sessions: number; readonly read: number; readonly cost: number } | null;
}

/** Cost of a policy as a multiple of the optimum. */
export interface OptimumRatio {
  /** Id of the policy. */
  readonly policy: string;
  /** Id of the cache rules. */
  readonly rules: string;
  /** The ratio of the median session; null where no optimum was computed. */
  readonly median: number | null;
  /** The ratio of all sessions together; null where no optimum was computed. */
  readonly pooled: number | null;
}

/** Input of `summarizeReplay`. */
export interface SummaryInput extends Pick<ReplaySummary, 'window' | 'policies' | 'prices'> {
  /** The sessions, as `replayTrace` returned them. */
  readonly replayed: readonly ReplayedSession[];
  /** Milliseconds assumed between requests where a log has no times. @default 30,000 */
  readonly paceMs?: number;
  /** Sessions that could not be replayed. @default none */
  readonly failures?: ReplaySummary['failures'];
}

/** Combines the replays of many sessions: metrics of each policy, its distance to the optimum, and the error of the cache rules. */
export function summarizeReplay({ window, policies, prices, replayed, ...rest }: SummaryInput): ReplaySummary {
  const { paceMs = USUAL_PACE_MS, failures = [] } = rest;
  const sessions = replayed.map(({ row }) => row);
  const results = replayed.flatMap((session) => session.results);
  const fitting = new Set(sessions.filter(({ fits }) => fits).map(({ name }) => name));
  const isDearer = dearerThanNone(results);
  const groups = prices.flatMap((rules) => policies.map((policy) => groupOf(results, rules, policy.id)));
  const metrics = (isWanted: (result: ReplayResult) => boolean): readonly ReplayMetrics[] =>
    groups.flatMap(({ rules, results: all }) => {
      const wanted = all.filter(isWanted);
      return wanted.length === 0 ? [] : [metricsOf(wanted, rules)];
    });
  return {
    version: 1,
    window,
    paceMs,
    policies: policies.map(({ id, title, note }) => ({ id, title, note })),
    prices,
    sessions,
    results,
    failures,
    pooled: metrics(() => true),
    fitting: metrics(({ session }) => fitting.has(session)),
    toOptimum: groups.map((group) => ratioOf(group, sessions)),
    dearer: groups.map(({ policy, rules, results: all }) => ({
      policy,
      rules: rules.id,
      sessions: all.filter((result) => fitting.has(result.session) && isDearer(result)).length,
    })),
    calibration: calibrationMedians(sessions),
  };
}

/** The results of one policy under one provider's rules. */
interface Group {
  readonly rules: CacheRules;
  readonly policy: string;
  readonly results: readonly ReplayResult[];
}

function groupOf(results: readonly ReplayResult[], rules: CacheRules, policy: string): Group {
  return { rules, policy, results: results.filter((result) => result.rules === rules.id && result.policy === policy) };
}

/** Smaller differences count as zero. */
const ROUNDING = 0.001;

/** Creates a test for sessions that cost more than without compaction. */
function dearerThanNone(results: readonly ReplayResult[]): (result: ReplayResult) => boolean {
  const none = results.filter(({ policy }) => policy === 'none');
  const noneUsd = new Map(none.map(({ rules, session, usd }) => [`${rules} ${session}`, usd]));
  return ({ rules, session, usd }) => usd > (noneUsd.get(`${rules} ${session}`) ?? usd) * (1 + ROUNDING);
}

function ratioOf({ rules, policy, results }: Group, sessions: readonly SessionRow[]): OptimumRatio {
  const best = new Map(sessions.map(({ name, optimumUsd }) => [name, optimumUsd?.[rules.id]]));
  const costs = results.flatMap(({ session, usd }) => {
    const optimum = best.get(session);
    return optimum === undefined || optimum <= 0 ? [] : [{ usd, optimum }];
  });
  const isKnown = costs.length > 0;
  return {
    policy,
    rules: rules.id,
    median: isKnown ? median(costs.map(({ usd, optimum }) => usd / optimum)) : null,
    pooled: isKnown ? sum(costs, ({ usd }) => usd) / sum(costs, ({ optimum }) => optimum) : null,
  };
}

function calibrationMedians(sessions: readonly SessionRow[]): ReplaySummary['calibration'] {
  const rows = sessions.flatMap(({ calibration }) => (calibration == null ? [] : [calibration]));
  const errors = (values: readonly (number | null)[]): number => median(values.map((value) => value ?? 1));
  if (rows.length === 0) return null;
  return {
    sessions: rows.length,
    read: errors(rows.map(({ read }) => read)),
    cost: errors(rows.map(({ cost }) => cost)),
  };
}
