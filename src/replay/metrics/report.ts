import type { CacheRules, Policy, ReplayResult, Trace } from '../types.ts';
import type { CalibrationRow } from './calibration.ts';
import { median, metricsOf, type ReplayMetrics } from './metrics.ts';

/** A session as far as a report needs it. */
export interface SessionRow {
  readonly name: string;
  readonly requests: number;
  readonly tokens: number;
  readonly fixedTokens: number;
  /** Tokens of the provider per counted token, learnt from recorded usage; 1 where none was recorded. */
  readonly factor: number;
  readonly hasTimes: boolean;
  /** True when all of it fits the window without a cut. */
  readonly fits: boolean;
  /** The cheapest anyone could have done, by id of the prices; absent where it was not computed. */
  readonly optimumUsd?: Readonly<Record<string, number>>;
  /** Predicted against recorded usage at the prices of its own model; null or absent where nothing was recorded. */
  readonly calibration?: CalibrationRow | null;
}

/** All of a replay, as data. Reports are made of this alone. */
export interface ReplayReport {
  readonly version: 1;
  readonly window: number;
  readonly paceMs: number;
  readonly policies: readonly Pick<Policy, 'id' | 'title' | 'note'>[];
  readonly prices: readonly CacheRules[];
  readonly sessions: readonly SessionRow[];
  readonly results: readonly ReplayResult[];
  /** One for each policy and prices, over all sessions. */
  readonly pooled: readonly ReplayMetrics[];
  /** Over the sessions that fit the window without a cut. */
  readonly fitting: readonly ReplayMetrics[];
  /** Cost as a multiple of the optimum: the median session, and all together. */
  readonly toOptimum: readonly OptimumRatio[];
  /** Sessions that fit the window and cost more than without compaction, by policy and prices. */
  readonly dearer: readonly { readonly policy: string; readonly rules: string; readonly sessions: number }[];
  /** Over the sessions with recorded cache usage; null when there is none. */
  readonly calibration: { readonly sessions: number; readonly read: number; readonly cost: number } | null;
  readonly failures: readonly { readonly session: string; readonly error: string }[];
}

export interface OptimumRatio {
  readonly policy: string;
  readonly rules: string;
  /** Null where no optimum was computed. */
  readonly median: number | null;
  readonly pooled: number | null;
}

export function sessionRowOf(trace: Trace, window: number): SessionRow {
  const last = trace.requests.at(-1)?.to ?? 0;
  const tokens = trace.tokens.slice(0, last).reduce((sum, each) => sum + each, trace.fixedTokens);
  return {
    name: trace.name,
    requests: trace.requests.length,
    tokens,
    fixedTokens: trace.fixedTokens,
    factor: trace.factor ?? 1,
    hasTimes: trace.hasTimes,
    fits: tokens <= window,
  };
}

export type ReportInput = Omit<ReplayReport, 'version' | 'pooled' | 'fitting' | 'toOptimum' | 'dearer' | 'calibration'>;

export function reportOf(input: ReportInput): ReplayReport {
  const fitting = new Set(input.sessions.filter(({ fits }) => fits).map(({ name }) => name));
  const withoutUsd = new Map(
    input.results
      .filter(({ policy }) => policy === 'none')
      .map(({ rules, session, usd }) => [`${rules} ${session}`, usd]),
  );
  const pairs = input.prices.flatMap((rules) => input.policies.map((policy) => ({ rules, policy })));
  const pooled = (isWanted: (result: ReplayResult) => boolean): readonly ReplayMetrics[] =>
    pairs.flatMap(({ rules, policy }) => {
      const results = input.results.filter(
        (result) => result.rules === rules.id && result.policy === policy.id && isWanted(result),
      );
      return results.length === 0 ? [] : [metricsOf(results, rules)];
    });
  return {
    version: 1,
    ...input,
    pooled: pooled(() => true),
    fitting: pooled((result) => fitting.has(result.session)),
    toOptimum: pairs.map(({ rules, policy }) => ratioOf(input, rules.id, policy.id)),
    dearer: pairs.map(({ rules, policy }) => ({
      policy: policy.id,
      rules: rules.id,
      sessions: input.results.filter(
        (result) =>
          result.rules === rules.id &&
          result.policy === policy.id &&
          fitting.has(result.session) &&
          result.usd > (withoutUsd.get(`${rules.id} ${result.session}`) ?? result.usd) * (1 + ROUNDING),
      ).length,
    })),
    calibration: calibrationMedians(input.sessions),
  };
}

/** A difference below a tenth of a percent is none. */
const ROUNDING = 0.001;

function calibrationMedians(sessions: readonly SessionRow[]): ReplayReport['calibration'] {
  const rows = sessions.flatMap(({ calibration }) => (calibration == null ? [] : [calibration]));
  const errors = (values: readonly (number | null)[]): number => median(values.map((value) => value ?? 1));
  if (rows.length === 0) return null;
  return {
    sessions: rows.length,
    read: errors(rows.map(({ read }) => read)),
    cost: errors(rows.map(({ cost }) => cost)),
  };
}

function ratioOf({ sessions, results }: ReportInput, rules: string, policy: string): OptimumRatio {
  const best = new Map(sessions.map(({ name, optimumUsd }) => [name, optimumUsd?.[rules]]));
  const costs = results
    .filter((result) => result.rules === rules && result.policy === policy)
    .flatMap(({ session, usd }) => {
      const optimum = best.get(session);
      return optimum === undefined || optimum <= 0 ? [] : [{ usd, optimum }];
    });
  const all = (pick: (cost: (typeof costs)[number]) => number): number =>
    costs.reduce((sum, cost) => sum + pick(cost), 0);
  const isKnown = costs.length > 0;
  return {
    policy,
    rules,
    median: isKnown ? median(costs.map(({ usd, optimum }) => usd / optimum)) : null,
    pooled: isKnown ? all(({ usd }) => usd) / all(({ optimum }) => optimum) : null,
  };
}
