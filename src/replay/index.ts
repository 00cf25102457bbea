/**
 * `precis/replay`: what a recorded session would have cost under other compaction policies, request by request with a provider's prompt cache.
 * Pure functions of data: sends nothing, asks no model, loads no tokenizer.
 */

// 1. A trace from a recorded session

export { type TraceOptions, type TraceRecord, type TraceSource, traceOf } from './trace/from-session.ts';
export type { RecordedUsage, Trace, TraceRequest } from './trace/trace.ts';

// 2. Prices and cache rules

export { rulesById } from './cache/rules/by-id.ts';
export type { CacheRules, Mark } from './cache/rules/cache-rules.ts';
export { cacheRules } from './cache/rules/data.ts';
export {
  type ListPrices,
  type ListPriceTier,
  type ModelName,
  type ModelRules,
  rulesForModel,
  withPrices,
} from './cache/rules/for-model.ts';
export { rulesFrom } from './cache/rules/parse.ts';

// 3. Policies that come with precis, and the port for your own

export { type EngineOptions, engineRun } from './policies/engine/engine-run.ts';
export { policies, policyById } from './policies/policies.ts';
export type {
  AuxiliaryCall,
  Change,
  EngineSetup,
  Policy,
  PolicyRun,
  PolicySetup,
  PolicyView,
  Rejection,
} from './policies/policy.ts';
export { type SummaryPolicy, type SummaryShape, summaryPolicy } from './policies/summary-policy.ts';
export type { ReplayItem } from './view/item.ts';

// 4. One session under one policy, or under all of them

export { type ReplayedSession, type ReplayOptions, replayTrace } from './replay.ts';
export type { EventRecord } from './simulate/event.ts';
export type { ReplayConditions, SimulateOptions } from './simulate/options.ts';
export type { FactCount, ReplayResult } from './simulate/result.ts';
export { simulate } from './simulate/simulate.ts';

// 5. Figures over many sessions

export { metricsOf, type ReplayMetrics } from './metrics/metrics.ts';
export type { SessionRow } from './metrics/session-row.ts';
export { type OptimumRatio, type ReplaySummary, type SummaryInput, summarizeReplay } from './metrics/summary.ts';

// 6. The cheapest course for someone who knows the whole session

export type { CallKind } from './break-even/closed-forms.ts';
export { findFrontier, findOptimum, sweepPenalty } from './optimum/optimum.ts';
export {
  fixedOperator,
  type Optimum,
  type OptimumOperator,
  type OptimumProblem,
  type OptimumRequest,
  optimumRequestsOf,
  type Retained,
} from './optimum/problem.ts';
export { ratiosTo, unavoidableUnits } from './optimum/ratios.ts';
export { optimumUsdOf } from './optimum/session-optimum.ts';

// 7. The cache itself, and how well its rules predict recorded usage

export type { Bill } from './cache/bill.ts';
export type { Block } from './cache/block.ts';
export { type Cache, type CacheOptions, createCache, type RequestDetails } from './cache/cache.ts';
export { calibrateRules, type RulesCalibration, type SessionError } from './calibration/calibrate.ts';
export type { RulesFit } from './calibration/fit.ts';
export type { MoneyClaim } from './calibration/money-claim.ts';
export { type CalibrationRequest, type CalibrationSession, calibrationSessionOf } from './calibration/session.ts';
export { calibrationOf, type SessionCalibration } from './calibration/session-calibration.ts';
export type { PredictionError, UsageError } from './calibration/usage-error.ts';
