import type { Model, ModelPrices } from '../../core/model.ts';
import { addUsd, priceOf, TOKEN_MARGIN } from './calls/price.ts';
import type { PlannedFixture } from './plan.ts';
import type { ExamModels } from './run-input.ts';
import { RECALL_TOKENS } from './session-prefixes.ts';

/** Everything that decides how many calls an evaluation makes. */
export interface EvaluationSize {
  /** The fixtures, each with its target and passes. */
  readonly fixtures: readonly PlannedFixture[];
  /** Runs of each fixture. */
  readonly runs: number;
  /** Built-in arms. */
  readonly arms: readonly string[];
  /** Compactors of your own. */
  readonly userArms: readonly { readonly name: string }[];
  /** The model that writes summaries; null for code alone. */
  readonly compressor: Model | null;
  /** The models that answer and grade; null when none is asked. */
  readonly exam: ExamModels | null;
}

/** The calls and the price of an evaluation, estimated before it starts. */
export interface CostEstimate {
  /** Highest number of calls. */
  readonly calls: number;
  /** Tokens sent. */
  readonly inputTokens: number;
  /** Tokens of all answers. */
  readonly outputTokens: number;
  /** Lowest price in US dollars; null when a price is unknown. */
  readonly low: number | null;
  /** Highest price in US dollars, for tokenizers that count more tokens; null when a price is unknown. */
  readonly high: number | null;
}

/** Tokens of the rules, the question and the facts that a judge reads. */
const JUDGE_TOKENS = 1_100;
const EXAM_TOKENS = 250;
/** Tokens of a typical answer, by purpose of the call. */
const USUAL_OUTPUT = { compress: 3_000, answer: 150, judge: 250 } as const;

/** Counts the questions of all runs, at most. */
export function countAnswers(size: EvaluationSize): number {
  return size.runs * size.fixtures.reduce((sum, fixture) => sum + answersFor(fixture, size), 0);
}

function answersFor({ bank, passes }: PlannedFixture, { arms, userArms }: EvaluationSize): number {
  const once = arms.filter((arm) => arm === 'full' || arm === 'none').length;
  return bank.probes.length * (once + (arms.length - once + userArms.length) * passes);
}

/** Estimates the calls and the price of an evaluation before it starts. */
export function estimateCost(size: EvaluationSize): CostEstimate {
  const { fixtures, exam } = size;
  const parts = fixtures.flatMap((fixture) => [
    ...compressorCalls(fixture, size),
    ...(exam === null ? [] : examCalls(fixture, exam, size)),
  ]);
  return parts.reduce(addCalls, { calls: 0, inputTokens: 0, outputTokens: 0, low: 0, high: 0 });
}

interface ExpectedCalls {
  readonly role: keyof typeof USUAL_OUTPUT;
  readonly calls: number;
  readonly inputTokens: number;
  readonly prices: ModelPrices | null;
}

function compressorCalls(
  { tokens, target, passes }: PlannedFixture,
  { compressor, arms, runs }: EvaluationSize,
): readonly ExpectedCalls[] {
  const isAsked = arms.some((arm) => arm.startsWith('candidate') || arm === 'truncation');
  if (compressor === null || !isAsked) return [];
  const inputTokens = runs * (tokens + passes * target);
  return [{ role: 'compress', calls: runs * passes, inputTokens, prices: compressor.prices }];
}

function examCalls(
  fixture: PlannedFixture,
  { answerer, judge }: ExamModels,
  size: EvaluationSize,
): readonly ExpectedCalls[] {
  const { bank, passes, target, tokens } = fixture;
  const { arms, userArms, runs } = size;
  const sizes = [...arms, ...userArms.map(({ name }) => name)].map((arm) => {
    if (arm === 'full') return tokens;
    if (arm === 'none') return 500;
    const more = arm === 'candidate+recall' ? RECALL_TOKENS : arm === 'condense-only' ? target : 0;
    return (target + more) * passes;
  });
  const calls = runs * answersFor(fixture, size);
  const read = runs * sizes.reduce((sum, each) => sum + each, 0) * bank.probes.length;
  return [
    { role: 'answer', calls, inputTokens: read + calls * EXAM_TOKENS, prices: answerer.prices },
    { role: 'judge', calls, inputTokens: calls * JUDGE_TOKENS, prices: judge.prices },
  ];
}

function addCalls(sum: CostEstimate, { role, calls, inputTokens, prices }: ExpectedCalls): CostEstimate {
  if (calls === 0) return sum;
  const outputTokens = calls * USUAL_OUTPUT[role];
  const usual = priceOf({ inputTokens, outputTokens, cachedInputTokens: null }, prices);
  return {
    calls: sum.calls + calls,
    inputTokens: sum.inputTokens + inputTokens,
    outputTokens: sum.outputTokens + outputTokens,
    low: addUsd(sum.low, usual),
    high: addUsd(sum.high, usual === null ? null : usual * TOKEN_MARGIN),
  };
}
