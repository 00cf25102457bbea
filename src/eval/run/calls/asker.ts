import {
  type FinishReason,
  isTransient,
  type Model,
  type ModelFailure,
  type ModelOutcome,
  type ModelRequest,
  type ModelUsage,
} from '../../../core/model.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import type { CallEvent, CallRole } from '../events.ts';
import type { Budget } from './budget.ts';
import type { Limiter } from './limiter.ts';
import { priceOf, TOKEN_MARGIN } from './price.ts';

/** An answer in the cache. Errors are never cached. */
export interface KeptAnswer {
  /** The answer. */
  readonly text: string;
  /** Why it stopped. */
  readonly finish: FinishReason;
  /** Tokens it was billed for. */
  readonly usage: ModelUsage;
  /** Name of the model. */
  readonly model: string;
}

/** Keeps answers that were paid for. A key covers everything that could change the answer. */
export interface AnswerCache {
  /** Returns the answer under a key; null when there is none. */
  get(key: string): Promise<KeptAnswer | null>;
  /** Stores an answer. It is called before the answer is used. */
  put(key: string, answer: KeptAnswer): Promise<void>;
}

/** A request that the cache could not answer. */
export interface Missing {
  /** Key of its answer in the cache. */
  readonly key: string;
  /** Purpose of the call. */
  readonly role: CallRole;
  /** Name of the model. */
  readonly model: string;
  /** The system text. */
  readonly instructions: string;
  /** The text of the user. */
  readonly prompt: string;
}

export interface Ask {
  readonly role: CallRole;
  readonly model: Model;
  readonly request: Pick<ModelRequest, 'instructions' | 'prompt' | 'onText'>;
  /** The run that asks. Runs do not share answers. */
  readonly replicate: number;
  /** Number of this attempt, counted from 0. Each attempt has its own place in the cache, so a retry gets a new answer. */
  readonly attempt: number;
  /** Something else that the answer depends on, such as the digest of the rubric. @default '' */
  readonly dependsOn?: string;
}

export type Asked =
  | {
      readonly type: 'answered';
      readonly text: string;
      readonly finish: FinishReason;
      readonly usage: ModelUsage;
      /** Price of the call, even if an earlier process made it; null when unknown. */
      readonly usd: number | null;
    }
  /** The call failed for a reason that has nothing to do with the state, so it is never a score. */
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  /** The request was written down, to be asked elsewhere. */
  | { readonly type: 'deferred' }
  /** The call would have cost more than is left. */
  | { readonly type: 'over-budget' };

export type Asker = (ask: Ask) => Promise<Asked>;

export interface AskPorts {
  readonly cache: AnswerCache;
  readonly budget: Budget;
  readonly limiter: Limiter;
  readonly counter: TokenCounter;
  /** A strong hash of a text, in hex. */
  readonly digest: (text: string) => string;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly now: () => number;
  /** Called for each call that was paid for, before its answer is used. */
  readonly onCall: (call: CallEvent) => Promise<void> | void;
  /** Takes requests that the cache cannot answer. When it is given, no model is asked. */
  readonly defer?: (missing: Missing) => void;
  /** Part of every cache key, so that answers of other evaluations are not used. @default '' */
  readonly salt?: string;
  readonly signal?: AbortSignal;
}

/** Longest first wait, and longest wait that we choose, in milliseconds. */
const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 30_000;
/** When a provider asks for a longer wait, the call has failed. */
const MOST_RETRY_AFTER_MS = 120_000;
const MOST_RETRIES = 5;
/** Timeouts and broken answers cost as much as whole answers, so they are retried less often. */
const MOST_COSTLY_RETRIES = 1;
const KEY_LENGTH = 40;

/**
 * Creates the function that asks every model of an evaluation. It answers from the cache if possible; else it makes the call within the budget,
 * a few at a time, and retries when that can help.
 */
export function createAsker(ports: AskPorts): Asker {
  const { cache, budget, limiter, digest, defer, signal } = ports;
  const underWay = new Map<string, Promise<Asked>>();
  /** Models that will not answer any request, because the key is wrong or the account is empty. */
  const dead = new Map<string, ModelFailure>();
  const answerOf = async (ask: Ask, key: string): Promise<Asked> => {
    const kept = await cache.get(key);
    if (kept !== null) return { ...kept, type: 'answered', usd: priceOf(kept.usage, ask.model.prices) };
    if (defer !== undefined) {
      const { instructions, prompt } = ask.request;
      defer({ key, role: ask.role, model: ask.model.id, instructions, prompt });
      return { type: 'deferred' };
    }
    return limiter.run(async () => {
      if (signal?.aborted === true) return { type: 'failed', failure: CANCELLED };
      const ended = dead.get(ask.model.id);
      if (ended !== undefined) return { type: 'failed', failure: ended };
      const reserved = mostOf(ask, ports.counter);
      if (!(await budget.reserve(reserved))) return { type: 'over-budget' };
      const asked = await askLive({ ask, key, reserved }, ports);
      if (asked.type === 'failed' && (asked.failure.kind === 'auth' || asked.failure.kind === 'quota'))
        dead.set(ask.model.id, asked.failure);
      return asked;
    });
  };
  return (ask) => {
    const { instructions, prompt } = ask.request;
    const key = digest(
      JSON.stringify([
        1,
        ask.model.id,
        instructions,
        prompt,
        ask.replicate,
        ask.attempt,
        ask.dependsOn ?? '',
        ports.salt ?? '',
      ]),
    ).slice(0, KEY_LENGTH);
    // Two arms with the same state ask the same question at the same time, and pay for it once.
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const answer = answerOf(ask, key).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}

/** Output tokens to reserve for a call: enough for a model that thinks aloud. */
const MOST_OUTPUT = { compress: 10_000, answer: 1_500, judge: 1_500 } as const;

/** Returns the highest possible price of a call; 0 when prices are unknown. */
function mostOf({ model, request, role }: Ask, counter: TokenCounter): number {
  const inputTokens = Math.ceil(counter.count(request.instructions + request.prompt) * TOKEN_MARGIN);
  return priceOf({ inputTokens, outputTokens: MOST_OUTPUT[role], cachedInputTokens: null }, model.prices) ?? 0;
}

interface LiveCall {
  readonly ask: Ask;
  readonly key: string;
  /** US dollars reserved for it. */
  readonly reserved: number;
}

async function askLive({ ask, key, reserved }: LiveCall, ports: AskPorts): Promise<Asked> {
  const { budget, limiter, signal } = ports;
  let paid = 0;
  try {
    for (let tries = 0; ; tries++) {
      const started = ports.now();
      const outcome = await generate(ask, signal);
      const ms = Math.round(ports.now() - started);
      if (outcome.type === 'text') {
        const { text, finish, usage } = outcome;
        const usd = priceOf(usage, ask.model.prices);
        paid += usd ?? reserved;
        const { inputTokens, outputTokens } = usage;
        const model = ask.model.id;
        // The answer is stored before the note of its payment, so that a process killed in between finds it again.
        const isAnswer = finish !== 'content-filter' && text.trim() !== '';
        // An incomplete answer is an error like any other, so it is not cached.
        if (isAnswer && isWhole(finish)) await ports.cache.put(key, { text, finish, usage, model });
        await ports.onCall({ type: 'call', key, role: ask.role, model, inputTokens, outputTokens, usd, ms });
        if (isAnswer) {
          limiter.faster();
          return { type: 'answered', text, finish, usage, usd };
        }
        return { type: 'failed', failure: NO_WORDS };
      }
      const { failure } = outcome;
      if (failure.kind === 'rate-limit' || failure.kind === 'overloaded') limiter.slower();
      const delay = delayBefore(tries, failure, ports.random);
      if (delay === null || signal?.aborted === true) return { type: 'failed', failure };
      await ports.sleep(delay, signal);
    }
  } finally {
    budget.settle(reserved, paid);
  }
}

async function generate({ model, request }: Ask, signal: AbortSignal | undefined): Promise<ModelOutcome> {
  try {
    return await model.generate({ ...request, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The model threw something.';
    return { type: 'failed', failure: { kind: 'unknown', message, retryAfterMs: null, learnedWindow: null } };
  }
}

/** Says whether an answer is complete. Some servers report a reason of their own (`other`) for a normal end. */
export function isWhole(finish: FinishReason): boolean {
  return finish === 'stop' || finish === 'other';
}

function delayBefore(tries: number, failure: ModelFailure, random: () => number): number | null {
  const isCostly = failure.kind === 'timeout' || failure.kind === 'malformed';
  if (!isTransient(failure) || tries >= (isCostly ? MOST_COSTLY_RETRIES : MOST_RETRIES)) return null;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== null) return retryAfterMs <= MOST_RETRY_AFTER_MS ? retryAfterMs : null;
  return Math.floor(random() * Math.min(MOST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries));
}

export const CANCELLED: ModelFailure = {
  kind: 'aborted',
  message: 'The evaluation was interrupted.',
  retryAfterMs: null,
  learnedWindow: null,
};
const NO_WORDS: ModelFailure = {
  kind: 'malformed',
  message: 'The model answered with nothing.',
  retryAfterMs: null,
  learnedWindow: null,
};

export const OVER_BUDGET = 'not asked: the cost cap was reached';
