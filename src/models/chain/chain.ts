import { PrecisError } from '../../core/errors.ts';
import {
  type FailureKind,
  isTransient,
  type Model,
  type ModelCall,
  type ModelFailure,
  type ModelOutcome,
  type ModelRequest,
  type Summarizer,
  type SummarizerAnswer,
} from '../../core/model.ts';
import { failureOf, plainFailure } from '../failure/failure.ts';
import { type CandidateState, type ChainState, NO_STATE, readChainState, rested } from './cooldown.ts';
import { wait } from './wait.ts';

export interface ChainOptions {
  /** How often a candidate is asked again after a passing failure. @default 2, since a third wait helps rarely and costs most */
  readonly retries?: number;
  /** First wait, doubled with each try; a random part of it is waited. Milliseconds. @default 1_000 */
  readonly firstDelayMs?: number;
  /** Longest wait of our own choice, in milliseconds. @default 30_000 */
  readonly maxDelayMs?: number;
  /** Longest wait a provider may ask for; beyond it the next candidate is asked. Milliseconds. @default 60_000 */
  readonly maxRetryAfterMs?: number;
  /** Time for everything together, in milliseconds. @default 900_000 */
  readonly totalMs?: number;
  /** Told of every attempt as it ends. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number;
  /** Cooldowns of an earlier run, as `state()` gave them. */
  readonly state?: unknown;
}

/** What happened when a candidate was asked. Free of content, for receipts. */
export interface Attempt extends ModelCall {
  readonly cachedInputTokens: number | null;
  /** Time waited before it was asked, in milliseconds. */
  readonly waitedMs: number;
}

export interface ChainResult extends SummarizerAnswer {
  readonly attempts: readonly Attempt[];
  /** Ids of candidates that were not asked because they failed a short while ago. */
  readonly resting: readonly string[];
}

/** Models in order of preference, asked as one. */
export interface ModelChain extends Summarizer {
  /** Never throws. */
  generate(request: ModelRequest): Promise<ChainResult>;
  /** The cooldowns, as plain JSON. */
  state(): ChainState;
  /** Takes up the cooldowns of an earlier run. What cannot be read is ignored. */
  restore(state: unknown): void;
  /** Ends all cooldowns: after a person asked, or after settings changed. */
  clear(): void;
}

export function createChain(models: readonly Model[], options: ChainOptions = {}): ModelChain {
  const [first] = models;
  if (first === undefined)
    throw new PrecisError('bad-option', 'Expected `models` to name at least one model, got none');
  const cooldowns = new Map<string, CandidateState>();
  const settings: Settings = {
    retries: options.retries ?? 2,
    firstDelayMs: options.firstDelayMs ?? 1_000,
    maxDelayMs: options.maxDelayMs ?? 30_000,
    maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
    totalMs: options.totalMs ?? 900_000,
    onAttempt: options.onAttempt ?? (() => {}),
    now: options.now ?? Date.now,
    sleep: options.sleep ?? wait,
    random: options.random ?? Math.random,
  };
  const restore = (state: unknown): void => {
    cooldowns.clear();
    for (const [id, kept] of Object.entries(readChainState(state).candidates)) cooldowns.set(id, kept);
  };
  restore(options.state ?? NO_STATE);
  return {
    models,
    generate: (request) => askAll(models, first, request, cooldowns, settings),
    state: () => ({ version: 1, candidates: Object.fromEntries(cooldowns) }),
    restore,
    clear: () => cooldowns.clear(),
  };
}

/** A chain as a model, for whoever asks for one. Its window is the smallest, since any candidate may have to answer. */
export function modelChain(
  models: readonly Model[],
  options: ChainOptions = {},
): Model & { readonly chain: ModelChain } {
  const chain = createChain(models, options);
  const outputs = models.flatMap(({ maxOutput }) => (maxOutput === null ? [] : [maxOutput]));
  return {
    id: models.map(({ id }) => id).join(','),
    contextWindow: Math.min(...models.map(({ contextWindow }) => contextWindow)),
    maxOutput: outputs.length === 0 ? null : Math.min(...outputs),
    prices: models[0]?.prices ?? null,
    generate: async (request) => (await chain.generate(request)).outcome,
    chain,
  };
}

type Settings = Required<Omit<ChainOptions, 'state'>>;
type Failed = Extract<ModelOutcome, { readonly type: 'failed' }>;

async function askAll(
  models: readonly Model[],
  first: Model,
  request: ModelRequest,
  cooldowns: Map<string, CandidateState>,
  settings: Settings,
): Promise<ChainResult> {
  const { now, totalMs } = settings;
  const attempts: Attempt[] = [];
  const resting: string[] = [];
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.min(totalMs, LONGEST_TIMER));
  const signal = request.signal === undefined ? late.signal : AbortSignal.any([request.signal, late.signal]);
  const asking: Asking = {
    request: { ...request, signal },
    deadline: now() + totalMs,
    isCancelled: () => request.signal?.aborted === true,
    isLate: () => late.signal.aborted,
    signal,
    record: (attempt) => {
      attempts.push(attempt);
      settings.onAttempt(attempt);
    },
  };
  let last: { readonly outcome: ModelOutcome; readonly model: string } | null = null;
  try {
    for (const model of models) {
      if (isResting(cooldowns.get(model.id), now())) {
        resting.push(model.id);
        continue;
      }
      const outcome = await askOne(model, asking, cooldowns, settings);
      last = { outcome, model: model.id };
      if (outcome.type === 'text' || outcome.failure.kind === 'aborted') break;
      if (asking.isLate() || now() >= asking.deadline) break;
    }
  } finally {
    clearTimeout(timer);
  }
  const { outcome, model } = last ?? { outcome: allResting(models, cooldowns, now()), model: first.id };
  return { outcome, model, attempts, resting };
}

/** Longer timers of Node end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface Asking {
  readonly request: ModelRequest;
  /** When everything must be done. */
  readonly deadline: number;
  readonly isCancelled: () => boolean;
  readonly isLate: () => boolean;
  readonly signal: AbortSignal;
  readonly record: (attempt: Attempt) => void;
}

/** Asks one candidate, again when that can help, and lets it rest when it did not. */
async function askOne(
  model: Model,
  asking: Asking,
  cooldowns: Map<string, CandidateState>,
  settings: Settings,
): Promise<ModelOutcome> {
  const { now, sleep } = settings;
  let waitedMs = 0;
  for (let tries = 1; ; tries++) {
    const started = now();
    const answer = await answerOf(model, asking);
    const outcome = judged(answer, asking, settings);
    const ended = now();
    // Also an answer that is of no use was paid for.
    const used = answer.type === 'text' ? answer.usage : null;
    asking.record({
      model: model.id,
      outcome: outcome.type === 'text' ? outcome.finish : outcome.failure.kind,
      inputTokens: used?.inputTokens ?? null,
      outputTokens: used?.outputTokens ?? null,
      cachedInputTokens: used?.cachedInputTokens ?? null,
      ms: ended - started,
      waitedMs,
    });
    if (outcome.type === 'text') {
      // An answer to a question from before the failure does not end the rest.
      if ((cooldowns.get(model.id)?.since ?? Number.NEGATIVE_INFINITY) <= started) cooldowns.delete(model.id);
      return outcome;
    }
    const delay = delayBefore(tries, outcome.failure, settings);
    if (delay === null || asking.signal.aborted || ended + delay >= asking.deadline) {
      // Who was asked in the last moments of the time for all is not to blame that it was over.
      const isToBlame = !asking.isLate() || ended - started > settings.totalMs / 2;
      const rest = isToBlame ? rested(outcome.failure, ended, cooldowns.get(model.id)) : null;
      if (rest !== null) cooldowns.set(model.id, rest);
      return outcome;
    }
    await sleep(delay, asking.signal);
    if (asking.isCancelled()) return cancelled();
    waitedMs = delay;
  }
}

/** A model of someone else's may throw, or ignore its signal; neither may hold up the chain. */
async function answerOf(model: Model, { request, signal }: Asking): Promise<ModelOutcome> {
  if (signal.aborted) return cancelled();
  const { promise, resolve } = Promise.withResolvers<ModelOutcome>();
  const stop = (): void => resolve(cancelled());
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([model.generate(request), promise]);
  } catch (error) {
    return { type: 'failed', failure: failureOf(error) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What the chain makes of an outcome: no answer is a failure, and so is one that the time limit cut off. */
function judged(outcome: ModelOutcome, asking: Asking, { totalMs }: Settings): ModelOutcome {
  if (outcome.type === 'text') {
    if (outcome.finish === 'content-filter')
      return failed('content-filter', "The provider's content filter stopped the answer.");
    return outcome.text.trim() === '' ? failed('malformed', 'The model answered with nothing.') : outcome;
  }
  if (outcome.failure.kind !== 'aborted' || asking.isCancelled() || !asking.isLate()) return outcome;
  return failed(
    'timeout',
    `No answer within the ${(totalMs / 1000).toLocaleString('en-US')} s for all tries together.`,
  );
}

/** These cost a whole answer each time, so they are tried only once more. */
const COSTLY: ReadonlySet<FailureKind> = new Set<FailureKind>(['timeout', 'malformed']);

/** Milliseconds to wait before the next try; null when there is none. */
function delayBefore(tries: number, failure: ModelFailure, settings: Settings): number | null {
  const { retries, firstDelayMs, maxDelayMs, maxRetryAfterMs, random } = settings;
  if (!isTransient(failure) || tries > (COSTLY.has(failure.kind) ? Math.min(1, retries) : retries)) return null;
  const asked = failure.retryAfterMs;
  if (asked !== null) return asked <= maxRetryAfterMs ? asked : null;
  // Full jitter: many clients that failed together do not come back together.
  return Math.floor(random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (tries - 1)));
}

function isResting(state: CandidateState | undefined, now: number): boolean {
  return state !== undefined && now < state.until;
}

function allResting(models: readonly Model[], cooldowns: ReadonlyMap<string, CandidateState>, now: number): Failed {
  const states = models.flatMap(({ id }) => cooldowns.get(id) ?? []);
  const next = states.toSorted((a, b) => a.until - b.until)[0];
  const retryAfterMs = Math.max(0, (next?.until ?? now) - now);
  const seconds = Math.ceil(retryAfterMs / 1000).toLocaleString('en-US');
  const message = `Every model failed a short while ago; the next one is asked again in ${seconds} s.`;
  return { type: 'failed', failure: { kind: next?.kind ?? 'unknown', message, retryAfterMs, learnedWindow: null } };
}

function cancelled(): Failed {
  return failed('aborted', 'The request was cancelled.');
}

function failed(kind: FailureKind, message: string): Failed {
  return { type: 'failed', failure: plainFailure(kind, message) };
}
