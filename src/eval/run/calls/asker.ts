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

/** An answer as it is kept. Errors never are. */
export interface KeptAnswer {
  /** The answer. */
  readonly text: string;
  /** Why it stopped. */
  readonly finish: FinishReason;
  /** Tokens it was billed for. */
  readonly usage: ModelUsage;
  /** Its name. */
  readonly model: string;
}

/** Answers that were paid for, by everything that could have changed them. */
export interface AnswerCache {
  /** The answer under a key; null when there is none. */
  get(key: string): Promise<KeptAnswer | null>;
  /** Keeps an answer before anyone uses it. */
  put(key: string, answer: KeptAnswer): Promise<void>;
}

/** A request that would be made. */
export interface Missing {
  /** Where the cache looks for its answer. */
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
  /** Which run it belongs to: each asks for itself. */
  readonly replicate: number;
  /** Counted from 0; a question that is asked again must not be given the same answer from the cache. */
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
  /** No answer for a reason that has nothing to do with the state: never a score. */
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  /** Written down to be asked elsewhere. */
  | { readonly type: 'deferred' }
  /** It would have cost more than is left. */
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
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly now: () => number;
  /** Told of each call that was paid for, before anyone uses its answer. */
  readonly onCall: (call: CallEvent) => Promise<void> | void;
  /** Given, nothing is asked: what is not in the cache goes here. */
  readonly defer?: (missing: Missing) => void;
  /** Makes answers of this evaluation its own, so that none of another is used. @default '' */
  readonly salt?: string;
  readonly signal?: AbortSignal;
}

/** Longest first wait and longest wait of our own choice, in milliseconds. */
const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 30_000;
/** A provider that wants to rest longer has failed. */
const MOST_RETRY_AFTER_MS = 120_000;
const MOST_RETRIES = 5;
/** Half an answer and a model that never comes to an end cost as much as a whole one. */
const MOST_COSTLY_RETRIES = 1;
const KEY_LENGTH = 40;

/** How every model of an evaluation is asked: from the cache, else within the budget, a few at a time, again when that can help. */
export function createAsker(ports: AskPorts): Asker {
  const { cache, budget, limiter, digest, defer, signal } = ports;
  const underWay = new Map<string, Promise<Asked>>();
  /** Models that will not answer, whatever they are asked: the key is wrong, or the account is empty. */
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
    // Two arms with the same state ask the same question at the same time; it is paid for once.
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const answer = answerOf(ask, key).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}

/** Tokens of output that are reserved for a call: enough for a model that thinks aloud. */
const MOST_OUTPUT = { compress: 10_000, answer: 1_500, judge: 1_500 } as const;

/** The highest price of a call; 0 when prices are unknown. */
function mostOf({ model, request, role }: Ask, counter: TokenCounter): number {
  const inputTokens = Math.ceil(counter.count(request.instructions + request.prompt) * TOKEN_MARGIN);
  return priceOf({ inputTokens, outputTokens: MOST_OUTPUT[role], cachedInputTokens: null }, model.prices) ?? 0;
}

interface LiveCall {
  readonly ask: Ask;
  readonly key: string;
  /** US dollars set aside for it. */
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
        // First the answer, then the note that it was paid: killed in between, it is found again.
        const isAnswer = finish !== 'content-filter' && text.trim() !== '';
        // Half an answer is an error like any other: it is not kept.
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

/** Some servers give reasons of their own for having come to an end. */
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
