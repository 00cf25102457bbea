/** `precis/eval`: measures what a compaction keeps. Loads no tokenizer, no model and no command line. */

// Fixtures: sessions with questions about them

export { bankText, type Hash, type ParseBankOptions, parseBank } from './probes/bank.ts';
export { type DecodedFixture, decodeFixture } from './probes/decode.ts';
export { type LoadedFixture, type LoadOptions, loadFixture, loadFixtures } from './probes/fixture.ts';
export type { ExpectedFact, Fixture, Probe, ProbeBank, ProbeFactKind, ProbeType, Span } from './types.ts';

// Probes: drafting them, and checking that they measure compaction and nothing else

export { type BankCheck, type CheckOptions, checkBank, type Finding, type Rejected } from './probes/check/check.ts';
export type { Complaint, ProbeGate } from './probes/check/gates.ts';
export type { NotTaken } from './probes/draft/choose.ts';
export { type Draft, type DraftOptions, draftBank } from './probes/draft/draft.ts';

// Survival: what became of the facts in a view, by code alone

export { type Haystack, haystackOf } from './survival/match/haystack.ts';
export { behindRefs, type Survival, type SurvivalOptions, survivalOf } from './survival/survival.ts';
export { viewText } from './survival/view-text.ts';

// Running an evaluation: every arm, every probe, with or without models

export { type JudgedModels, sameFamilyWarnings } from './exam/model-family.ts';
export { ARMS, type ArmName } from './run/arms/arms.ts';
export type { CandidateSettings } from './run/arms/candidate.ts';
export { type PlainMessages, plainMessages, type UserArm, type UserArmInfo } from './run/arms/user-arm.ts';
export { type CostEstimate, countAnswers, type EvaluationSize, estimateCost } from './run/estimate.ts';
export { evaluate } from './run/evaluate.ts';
export type {
  EvalProgress,
  EvalStorage,
  EvaluateOptions,
  EvaluatePorts,
  Evaluation,
} from './run/evaluate-options.ts';
export type { CallEvent, CallRole, EvalEvent } from './run/events.ts';
export { type EvalTarget, type PlannedFixture, type PlanOptions, planFixture } from './run/plan.ts';
export type { ExamModels } from './run/run-input.ts';

// Batch APIs: requests that are written down instead of made, and their answers

export type { AnswerCache, KeptAnswer, Missing } from './run/calls/asker.ts';
export { anthropicLine, type BatchAnswer, openaiLine, readBatchLine } from './run/calls/batch.ts';

// Results: the runs of an evaluation, and the figures that follow from them

export { aggregate, type EvalSummary } from './results/aggregate.ts';
export type { ArmSummary, Estimate, FactShare, GradeSummary } from './results/arm-summary.ts';
export { type ConditionMetric, type FailCondition, metConditions, parseConditions } from './results/conditions.ts';
export type { Miss } from './results/misses.ts';
export { recheckRun } from './results/recheck.ts';
export { parseRunResult } from './results/run-result.ts';
export type {
  AnswerOutcome,
  ArmRole,
  Cell,
  Dimension,
  FactOutcome,
  FactResult,
  Grades,
  Judged,
  Provenance,
  RunResult,
  StateResult,
} from './types.ts';

// Comparing two results: which is better, and how sure is that

export type { Breakdown } from './compare/breakdown.ts';
export {
  type CompareOptions,
  type Comparison,
  type ComparisonGate,
  compare,
  type GateResult,
  passGate,
  type Refused,
} from './compare/compare.ts';
export type { MetricComparison, MissingEvidence, PairedOutcomes, Verdict } from './compare/compare-metric.ts';
export type { Costs, Pareto } from './compare/pareto.ts';
export type { MetricFamily } from './results/metrics.ts';

// Noise: how far the figures of one candidate move by chance

export {
  floorsOf,
  type NoiseOptions,
  type NoiseReport,
  type NoiseRow,
  type NoiseSource,
  noise,
} from './compare/noise.ts';

// Calibration: whether a judge agrees with people

export { type CalibrateOptions, type Calibration, calibrate } from './calibrate/calibrate.ts';
export { type Label, parseLabels } from './calibrate/labels.ts';

// Statistics that stand alone

export {
  type Agreement,
  agreement,
  type Confusion,
  type CorrectedShare,
  correctedShare,
  type RoganGladen,
} from './statistics/agreement.ts';
export {
  type Cluster,
  percentileInterval,
  type ResampledProbe,
  type ResampleOptions,
  type Resamples,
  resampleClusters,
  resampleWithin,
} from './statistics/bootstrap.ts';
export { holm } from './statistics/holm.ts';
export type { Interval } from './statistics/interval.ts';
export { type McNemar, mcnemar } from './statistics/mcnemar.ts';
export { newcombe, type PairedCounts, type PairedDifference } from './statistics/newcombe.ts';
export { type SignFlip, signFlip } from './statistics/permutation.ts';
export { detectable, pairsNeeded } from './statistics/power.ts';
export { jeffreys, wilson } from './statistics/proportion.ts';
export { type Random, seeded } from './statistics/random.ts';
