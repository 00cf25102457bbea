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

/**
 * All sizes that compaction works with, in tokens of the whole request. Always: tail < target < threshold < window, as long as the fixed part
 * leaves room in the window.
 */
export interface Limits {
  /** The most a request may hold: the smallest window of the chain, minus its reserved output. */
  readonly window: number;
  /** Tokens of the request that no compaction can cut: tools, and what the provider adds. */
  readonly fixed: number;
  /** Tokens kept free for the answer. */
  readonly output: number;
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
  /** Fold target as a share of the threshold. @default 0.35, but at least 1,500 tokens as far as half of the threshold allows */
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
  /**
   * Tokens of the request that are in no message: tools, and what the provider adds. All shares are taken of the window that they leave.
   * @default the tools in the request that `compact()` gets
   */
  readonly fixedTokens?: number;
}

/** The window of an unknown model: every widely used model of recent years accepts this much. */
export const UNKNOWN_WINDOW = 128_000;

/** See `docs/decisions/0015`. */
const CONDENSE_RATIO = 0.35;

/** The first tokens of a target are for the requests and the record: there, quotes keep more facts per token than whole steps do. */
export const RECORD_FIRST_TOKENS = 4_000;

/** A view of this size holds what an agent needs to go on. */
const SMALL_VIEW_TOKENS = 1_500;

/** Share of the target beyond these that the verbatim tail may take: on real sessions a longer tail costs more facts than it keeps. */
const TAIL_SHARE = 1 / 6;

/** Below this there is no room for a system message, a handoff and an answer. */
const SMALLEST_WINDOW = 16;
const SMALLEST_ROOM = 8;

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
  const { window, output } = effectiveWindow(input);
  const fixed = input.fixedTokens === undefined ? 0 : count('fixedTokens', input.fixedTokens, 0);
  // A fixed part that fills the window leaves no room to plan for: the smallest room stands in, and every view turns out too large for it.
  const room = Math.max(SMALLEST_ROOM, window - fixed);
  const asked = input.target === undefined ? undefined : Math.max(1, count('target', input.target, 1) - fixed);
  const target = asked === undefined ? undefined : window - fixed < SMALLEST_ROOM ? 1 : asked;
  const inner = { ...input, ...(target === undefined ? {} : { target }) };
  const threshold = thresholdOf(inner, { room, fixed });
  const foldTarget = target ?? foldTargetOf(input, threshold);
  const worthwhile = Math.max(5_000, Math.floor(room / 20));
  // Condensing never has to reach further down than folding.
  const condensed = partOf(threshold, ratio('condenseRatio', input.condenseRatio, CONDENSE_RATIO));
  const condenseTarget = target ?? Math.max(condensed, foldTarget);
  const runway = threshold - condenseTarget;
  return {
    window,
    fixed,
    output,
    threshold: fixed + threshold,
    condenseTarget: fixed + condenseTarget,
    foldTarget: fixed + foldTarget,
    runway,
    rearm: Math.min(runway, Math.max(worthwhile, partOf(threshold, 0.15))),
    // More than half of the target would leave condensing nothing to cut.
    condensedLastTokens: Math.min(protectedFor(room), Math.floor(condenseTarget / 2)),
    tailTokens: Math.min(
      clamp(partOf(room, 0.025), 10_000, 25_000),
      Math.floor(Math.max(0, foldTarget - RECORD_FIRST_TOKENS) * TAIL_SHARE),
    ),
  };
}

/** A share of the threshold. Small rooms keep more by default: below this size a view cannot hold the request, the state of the work and the constraints. */
function foldTargetOf({ targetRatio }: LimitsInput, threshold: number): number {
  const share = Math.max(1, partOf(threshold, ratio('targetRatio', targetRatio, 0.35)));
  return targetRatio === undefined ? Math.max(share, Math.min(SMALL_VIEW_TOKENS, Math.floor(threshold / 2))) : share;
}

/**
 * The sizes for a request that says itself how long its answer may be. The caller's own `reservedOutput` wins, and so does its `target`: many
 * requests allow more than their answer will ever take. Without a target, an answer that would take the whole window leaves the smallest room:
 * every view turns out too large for it, and the account says why.
 */
export function reservingFor(input: LimitsInput, output: number | null): LimitsInput {
  if (output === null || input.reservedOutput !== undefined) return input;
  const { window } = effectiveWindow({ ...input, reservedOutput: 0 });
  return { ...input, reservedOutput: Math.max(0, Math.min(Math.ceil(output), window - leastWindow(input))) };
}

/** The smallest window in which the target is below the threshold. */
function leastWindow({ target, fixedTokens = 0, thresholdRatio = 1 }: LimitsInput): number {
  if (target === undefined) return SMALLEST_ROOM;
  return fixedTokens + Math.max(SMALLEST_ROOM, Math.ceil((target - fixedTokens + 1) / thresholdRatio) + 1);
}

/** The limits of the messages alone: those of the request, minus its fixed part. `fixed` stays, so that sentences can state whole sizes. */
export function limitsOfMessages(limits: Limits): Limits {
  const { fixed, window, threshold, condenseTarget, foldTarget } = limits;
  return {
    ...limits,
    window: window - fixed,
    threshold: threshold - fixed,
    condenseTarget: condenseTarget - fixed,
    foldTarget: foldTarget - fixed,
  };
}

/** A fallback must be able to take over at any moment, so the smallest window of the chain counts. */
function effectiveWindow(input: LimitsInput): Pick<Limits, 'window' | 'output'> {
  const { models = [], reservedOutput, window } = input;
  if (reservedOutput !== undefined) count('reservedOutput', reservedOutput, 0);
  if (window !== undefined) return remaining(count('window', window, SMALLEST_WINDOW), reservedOutput ?? 0, 'window');
  const chain = models.length > 0 ? models : [{ id: 'unknown', contextWindow: UNKNOWN_WINDOW, maxOutput: null }];
  return chain
    .map((model) => {
      const name = `contextWindow of ${model.id}`;
      count(name, model.contextWindow, SMALLEST_WINDOW);
      return remaining(model.contextWindow, reservedOutput ?? reservedOutputOf(model), name);
    })
    .reduce((smallest, each) => (each.window < smallest.window ? each : smallest));
}

function remaining(window: number, reserved: number, name: string): Pick<Limits, 'window' | 'output'> {
  const left = window - reserved;
  if (left >= SMALLEST_ROOM) return { window: left, output: reserved };
  throw new PrecisError(
    'bad-option',
    `Expected \`reservedOutput\` to leave room in the window, got \`${reserved}\` with ${name} \`${window}\``,
    { option: 'reservedOutput', value: reserved, window },
  );
}

/** The threshold of the messages in the room that the fixed part leaves them. */
function thresholdOf(input: LimitsInput, { room, fixed }: { readonly room: number; readonly fixed: number }): number {
  const { thresholdCap, thresholdRatio, target } = input;
  const part = ratio('thresholdRatio', thresholdRatio, room >= 512_000 ? 0.5 : 0.75);
  const cap = thresholdCap === undefined ? room : count('thresholdCap', thresholdCap, 2) - fixed;
  const threshold = clamp(Math.min(partOf(room, part), cap), 2, room - 1);
  if (target === undefined || target < threshold) return threshold;
  // A target that the caller set wins over a derived threshold, as long as it fits the window.
  const asked = thresholdCap !== undefined || thresholdRatio !== undefined;
  if (!asked && target < room - 1) return target + 1;
  const most = fixed + (asked ? threshold - 1 : room - 2);
  const value = fixed + target;
  throw new PrecisError(
    'bad-option',
    `Expected \`target\` to be an integer from 1 to ${most} (below the threshold of a window of ${room + fixed}), got \`${value}\` (number)`,
    { option: 'target', value, window: room + fixed },
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
