import { PrecisError } from '../errors.ts';

/** What the engine must know about a model to keep a conversation within its window. */
export interface ModelWindow {
  /** Name of the model. */
  readonly id: string;
  /** Tokens the model accepts, input and output together. */
  readonly contextWindow: number;
  /** Most tokens it writes in one answer; null when unknown. */
  readonly maxOutput: number | null;
}

/** All sizes that compaction works with, in tokens. Always: tail < target < threshold < window. */
export interface Limits {
  /** The most a request may hold: the smallest window of the chain, minus its reserved output. */
  readonly window: number;
  /** Compaction starts above this size. */
  readonly threshold: number;
  /** Condensing alone is enough when it lands here or below. */
  readonly condenseTarget: number;
  /** Folding lands here or below. */
  readonly foldTarget: number;
  /** Distance from the condense target up to the threshold. */
  readonly runway: number;
  /** Tokens that must be said before a compaction that was held back is tried again. */
  readonly rearm: number;
  /** Tokens of the newest steps, which condensing cuts last. */
  readonly condensedLastTokens: number;
  /** Tokens of the newest messages, which are never edited. */
  readonly tailTokens: number;
}

/** The sizes a caller can set. Each has a default. */
export interface LimitsInput {
  /** The primary model and its fallbacks. Without one, and without `window`, an unknown model is assumed. */
  readonly models?: readonly ModelWindow[];
  /** Tokens kept free for the answer. @default min(maxOutput, 20 % of the window, 32,000), per model */
  readonly reservedOutput?: number;
  /** Threshold as a share of the window. @default 0.5 from 512,000 tokens on, 0.75 below */
  readonly thresholdRatio?: number;
  /** The threshold is never above this many tokens. @default no cap */
  readonly thresholdCap?: number;
  /** Fold target as a share of the threshold. @default 0.35 */
  readonly targetRatio?: number;
  /**
   * Condense target as a share of the threshold.
   * @default 0.35: on recorded sessions, a higher one costs more and keeps less, since each cut breaks the prompt cache again
   */
  readonly condenseRatio?: number;
  /** Size that a compaction must not exceed. Replaces both targets. */
  readonly target?: number;
  /** Replaces the windows of the models: the most a request may hold, minus `reservedOutput` if you set it. */
  readonly window?: number;
}

/** The window of an unknown model: every widely used model of recent years accepts this much. */
export const UNKNOWN_WINDOW = 128_000;

/** See `docs/decisions/0015`. */
const CONDENSE_RATIO = 0.35;

/** The first tokens of a target are for the requests and the record: there, quotes keep more facts per token than whole steps do. */
export const RECORD_FIRST_TOKENS = 4_000;

/** Share of the target beyond these that the verbatim tail may take: on real sessions a longer tail costs more facts than it keeps. */
const TAIL_SHARE = 1 / 6;

/** Below this there is no room for a system message, a handoff and an answer. */
const SMALLEST_WINDOW = 16;

/**
 * Tokens kept free for the answer. Some models list half their window as output, which hardly any answer uses; reserving
 * all of it would halve the context. 32,000 holds a long answer with its reasoning; a fifth of the window keeps small
 * models usable.
 */
export function reservedOutputOf(model: ModelWindow): number {
  const most = Math.min(partOf(model.contextWindow, 0.2), 32_000);
  return model.maxOutput === null ? most : Math.min(model.maxOutput, most);
}

/** All sizes of a context. Pure; throws a `PrecisError` with code `bad-option` for sizes that cannot work together. */
export function limitsFor(input: LimitsInput): Limits {
  const window = effectiveWindow(input);
  const threshold = thresholdOf(input, window);
  const foldTarget = input.target ?? Math.max(1, partOf(threshold, ratio('targetRatio', input.targetRatio, 0.35)));
  const worthwhile = Math.max(5_000, Math.floor(window / 20));
  // Condensing never has to reach further down than folding.
  const condensed = partOf(threshold, ratio('condenseRatio', input.condenseRatio, CONDENSE_RATIO));
  const condenseTarget = input.target ?? Math.max(condensed, foldTarget);
  const runway = threshold - condenseTarget;
  return {
    window,
    threshold,
    condenseTarget,
    foldTarget,
    runway,
    rearm: Math.min(runway, Math.max(worthwhile, partOf(threshold, 0.15))),
    // More than half of the target would leave condensing nothing to cut.
    condensedLastTokens: Math.min(protectedFor(window), Math.floor(condenseTarget / 2)),
    tailTokens: Math.min(
      clamp(partOf(window, 0.025), 10_000, 25_000),
      Math.floor(Math.max(0, foldTarget - RECORD_FIRST_TOKENS) * TAIL_SHARE),
    ),
  };
}

/** A fallback must be able to take over at any moment, so the smallest window of the chain counts. */
function effectiveWindow(input: LimitsInput): number {
  const { models = [], reservedOutput, window } = input;
  if (reservedOutput !== undefined) count('reservedOutput', reservedOutput, 0);
  if (window !== undefined) return remaining(count('window', window, SMALLEST_WINDOW), reservedOutput ?? 0, 'window');
  const chain = models.length > 0 ? models : [{ id: 'unknown', contextWindow: UNKNOWN_WINDOW, maxOutput: null }];
  return Math.min(
    ...chain.map((model) => {
      const name = `contextWindow of ${model.id}`;
      count(name, model.contextWindow, SMALLEST_WINDOW);
      return remaining(model.contextWindow, reservedOutput ?? reservedOutputOf(model), name);
    }),
  );
}

function remaining(window: number, reserved: number, name: string): number {
  const left = window - reserved;
  if (left >= SMALLEST_WINDOW / 2) return left;
  throw new PrecisError(
    'bad-option',
    `Expected \`reservedOutput\` to leave room in the window, got \`${reserved}\` with ${name} \`${window}\``,
    { option: 'reservedOutput', value: reserved, window },
  );
}

function thresholdOf(input: LimitsInput, window: number): number {
  const { thresholdCap, thresholdRatio, target } = input;
  const part = ratio('thresholdRatio', thresholdRatio, window >= 512_000 ? 0.5 : 0.75);
  const cap = thresholdCap === undefined ? window : count('thresholdCap', thresholdCap, 2);
  const threshold = clamp(Math.min(partOf(window, part), cap), 2, window - 1);
  if (target === undefined || count('target', target, 1) < threshold) return threshold;
  // A target that the caller set wins over a derived threshold, as long as it fits the window.
  const asked = thresholdCap !== undefined || thresholdRatio !== undefined;
  if (!asked && target < window - 1) return target + 1;
  const most = asked ? threshold - 1 : window - 2;
  throw new PrecisError(
    'bad-option',
    `Expected \`target\` to be an integer from 1 to ${most} (below the threshold of a window of ${window}), got \`${target}\` (number)`,
    { option: 'target', value: target, window },
  );
}

/** The model works with recent tool output. Larger windows can afford to keep more of it whole. */
function protectedFor(window: number): number {
  if (window >= 500_000) return 100_000;
  if (window >= 128_000) return 40_000;
  if (window >= 64_000) return 20_000;
  return 10_000;
}

function ratio(option: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value > 0 && value < 1) return value;
  throw bad(option, 'a number above 0 and below 1', value);
}

function count(option: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw bad(option, `an integer of at least ${least}`, value);
}

function bad(option: string, expected: string, value: unknown): PrecisError {
  const text = `Expected \`${option}\` to be ${expected}, got \`${String(value)}\` (${typeof value})`;
  return new PrecisError('bad-option', text, { option, value });
}

/** Whole tokens, rounded down. 35 % of 45,000 is 15,749.999… in floating point and must not lose a token for that. */
function partOf(whole: number, part: number): number {
  return Math.floor(whole * part + 1e-6);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
