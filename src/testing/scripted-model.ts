import type { FailureKind, Model, ModelFailure, ModelOutcome, ModelPrices, ModelRequest } from '../core/model.ts';
import {
  chunksOf,
  type ErrorReply,
  pause,
  playerOf,
  type Script,
  type SeenRequest,
  usageOf,
  type WrittenReply,
} from './model-server/reply.ts';

/** A model that follows a script, without a network. */
export interface ScriptedModel extends Model {
  /** Every request so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Sets another script from the next request on. */
  script(next: Script): void;
}

/** Facts that the model states about itself. */
export interface ScriptedModelOptions {
  /** Name of the model. @default 'scripted/model' */
  readonly id?: string;
  /** Context window in tokens. @default 128000 */
  readonly contextWindow?: number;
  /** Longest answer in tokens; null when unknown. @default null */
  readonly maxOutput?: number | null;
  /** US dollars per million tokens; null when unknown. @default null */
  readonly prices?: ModelPrices | null;
}

/** Makes a model that follows a script. Only `slow` uses timers, and `stall` waits only for the signal, so both work with fake time. */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const requests: SeenRequest[] = [];
  let play = playerOf(script);
  return {
    id: options.id ?? 'scripted/model',
    contextWindow: options.contextWindow ?? 128_000,
    maxOutput: options.maxOutput ?? null,
    prices: options.prices ?? null,
    requests,
    script: (next) => {
      play = playerOf(next);
    },
    generate: async (request) => {
      const seen = { instructions: request.instructions, prompt: request.prompt };
      requests.push(seen);
      if (request.signal?.aborted === true) return aborted();
      const reply = play(seen);
      switch (reply.type) {
        case 'written':
          return speak(reply, seen, request);
        case 'error':
          return { type: 'failed', failure: failureOf(reply) };
        case 'raw': {
          const kind = reply.status >= 500 ? 'overloaded' : 'malformed';
          return failed(kind, `The scripted model sent something that is not an answer (status ${reply.status}).`);
        }
      }
    },
  };
}

async function speak(reply: WrittenReply, seen: SeenRequest, { signal, onText }: ModelRequest): Promise<ModelOutcome> {
  const { firstByteMs = 0, perChunkMs = 0, end = 'complete' } = reply;
  const chunks = chunksOf(reply.text);
  const said = end === 'complete' ? chunks : chunks.slice(0, Math.ceil(chunks.length / 2));
  if (firstByteMs > 0) await pause(firstByteMs, signal);
  let characters = 0;
  for (const chunk of said) {
    if (perChunkMs > 0) await pause(perChunkMs, signal);
    if (signal?.aborted === true) return aborted();
    characters += chunk.length;
    onText?.(characters);
  }
  if (end === 'stall') await pause(Number.POSITIVE_INFINITY, signal);
  if (signal?.aborted === true) return aborted();
  if (end === 'drop') return failed('network', 'The connection to the scripted model broke.');
  if (end === 'early') return failed('malformed', 'The scripted model stopped without saying why.');
  return { type: 'text', text: reply.text, finish: reply.finish, usage: usageOf(reply, seen) };
}

function failureOf(reply: ErrorReply): ModelFailure {
  const { retryAfterMs, retryAfterSeconds } = reply;
  const kind = kindOf(reply);
  return {
    kind,
    message: `The scripted model failed with status ${reply.status}.`,
    retryAfterMs: retryAfterMs ?? (retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000),
    learnedWindow: reply.limit ?? null,
  };
}

function kindOf({ fault, status }: ErrorReply): FailureKind {
  if (fault === 'quota' || fault === 'overflow') return fault;
  if (fault === 'blocked') return 'content-filter';
  if (status >= 500) return 'overloaded';
  return KINDS[status] ?? 'unknown';
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  408: 'timeout',
  413: 'overflow',
  429: 'rate-limit',
};

function aborted(): ModelOutcome {
  return failed('aborted', 'The request was aborted.');
}

function failed(kind: FailureKind, message: string): ModelOutcome {
  return { type: 'failed', failure: { kind, message, retryAfterMs: null, learnedWindow: null } };
}
