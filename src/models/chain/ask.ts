import {
  type FailureKind,
  isTransient,
  type Model,
  type ModelFailure,
  type ModelOutcome,
  type ModelRequest,
} from '../../core/model.ts';
import { soundOutcome } from '../../core/summary/sound-answer.ts';
import { failureOf, plainFailure } from '../failure/failure.ts';
import { LONGEST_TIMER } from '../timers.ts';
import { type CandidateState, cooldownAfter } from './cooldown.ts';
import type { Attempt, ChainResult, ChainSettings } from './options.ts';

type Failed = Extract<ModelOutcome, { readonly type: 'failed' }>;

export interface Candidates {
  readonly models: readonly [Model, ...Model[]];
  /** By model id. */
  readonly cooldowns: Map<string, CandidateState>;
  readonly settings: ChainSettings;
}

/** Asks the candidates in order until one answers, within the time for all. */
export async function askAll(chain: Candidates, request: ModelRequest): Promise<ChainResult> {
  const { models, cooldowns, settings } = chain;
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
      const outcome = await askOne(model, asking, chain);
      last = { outcome, model: model.id };
      if (outcome.type === 'text' || outcome.failure.kind === 'aborted') break;
      if (asking.isLate() || now() >= asking.deadline) break;
    }
  } finally {
    clearTimeout(timer);
  }
  const { outcome, model } = last ?? { outcome: allResting(models, cooldowns, now()), model: models[0].id };
  return { outcome, model, attempts, resting };
}

interface Asking {
  readonly request: ModelRequest;
  /** End of the time for all, in milliseconds since 1970. */
  readonly deadline: number;
  readonly isCancelled: () => boolean;
  readonly isLate: () => boolean;
  readonly signal: AbortSignal;
  readonly record: (attempt: Attempt) => void;
}

/** Asks one candidate, retries when that can help, and starts its cooldown when it did not. */
async function askOne(model: Model, asking: Asking, { cooldowns, settings }: Candidates): Promise<ModelOutcome> {
  const { now, sleep } = settings;
  let waitedMs = 0;
  for (let tries = 1; ; tries++) {
    const started = now();
    const answer = await answerOf(model, asking);
    const outcome = judge(answer, asking, settings);
    const ended = now();
    // A useless answer costs money too.
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
      // An answer to a request from before the failure does not end the cooldown.
      if ((cooldowns.get(model.id)?.since ?? Number.NEGATIVE_INFINITY) <= started) cooldowns.delete(model.id);
      return outcome;
    }
    const delay = delayBefore(tries, outcome.failure, settings);
    if (delay === null || asking.signal.aborted || ended + delay >= asking.deadline) {
      // A candidate that was asked in the last moments is not to blame for the timeout.
      const isToBlame = !asking.isLate() || ended - started > settings.totalMs / 2;
      const rest = isToBlame ? cooldownAfter(outcome.failure, ended, cooldowns.get(model.id)) : null;
      if (rest !== null) cooldowns.set(model.id, rest);
      return outcome;
    }
    await sleep(delay, asking.signal);
    if (asking.isCancelled()) return cancelled();
    waitedMs = delay;
  }
}

/** Asks one model. A caller's own model may throw, return nonsense or ignore its signal, and none of these may hold up the chain. */
async function answerOf(model: Model, { request, signal }: Asking): Promise<ModelOutcome> {
  if (signal.aborted) return cancelled();
  const { promise, resolve } = Promise.withResolvers<ModelOutcome>();
  const stop = (): void => resolve(cancelled());
  signal.addEventListener('abort', stop, { once: true });
  try {
    return soundOutcome(await Promise.race([model.generate(request), promise]));
  } catch (error) {
    return { type: 'failed', failure: failureOf(error) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Turns an empty or filtered answer into a failure, and a cancellation by the time limit into a timeout. */
function judge(outcome: ModelOutcome, asking: Asking, { totalMs }: ChainSettings): ModelOutcome {
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

/** Each of these costs a whole answer, so there is only one retry. */
const COSTLY: ReadonlySet<FailureKind> = new Set<FailureKind>(['timeout', 'malformed']);

/** Milliseconds to wait before the next try; null when there is no next try. */
function delayBefore(tries: number, failure: ModelFailure, settings: ChainSettings): number | null {
  const { retries, firstDelayMs, maxDelayMs, maxRetryAfterMs, random } = settings;
  if (!isTransient(failure) || tries > (COSTLY.has(failure.kind) ? Math.min(1, retries) : retries)) return null;
  const asked = failure.retryAfterMs;
  if (asked !== null) return asked <= maxRetryAfterMs ? asked : null;
  // Full jitter keeps clients that failed together from returning together.
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
