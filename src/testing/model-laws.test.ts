import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, type LanguageModel, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureKind, FinishReason, Model, ModelFailure, ModelOutcome, ModelRequest } from '../core/model.ts';
import type { AsyncLaw } from './law.ts';
import { type ModelPlace, modelLaws } from './model-laws.ts';
import * as behave from './model-server/behaviours.ts';
import { type ModelServer, startModelServer } from './model-server/model-server.ts';
import { scriptedModel } from './scripted-model.ts';

type Client = (place: ModelPlace) => LanguageModel;
type Way = 'streamed' | 'whole';

const clients: Readonly<Record<string, Client>> = {
  'OpenAI responses': ({ url, apiKey }) => createOpenAI({ baseURL: `${url}/v1`, apiKey })('gpt-5'),
  'OpenAI chat': ({ url, apiKey }) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt-4.1'),
  'OpenAI compatible': ({ url, apiKey }) =>
    createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, apiKey, includeUsage: true })('qwen'),
  Anthropic: ({ url, apiKey }) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-4-5'),
};

/** The smallest adapter that obeys the laws: it shows that the server can be understood, and by whom. */
function adapterOf(client: Client, way: Way): (place: ModelPlace) => Model {
  return (place) => ({
    id: 'test/adapter',
    contextWindow: 128_000,
    maxOutput: null,
    prices: null,
    generate: async (request) => {
      try {
        return await (way === 'streamed' ? streamed : whole)(client(place), request);
      } catch (error) {
        return { type: 'failed', failure: failureOf(error, request.signal) };
      }
    },
  });
}

function callOf(model: LanguageModel, { instructions, prompt, signal }: ModelRequest) {
  return { model, instructions, prompt, maxRetries: 0, ...(signal === undefined ? {} : { abortSignal: signal }) };
}

async function whole(model: LanguageModel, request: ModelRequest): Promise<ModelOutcome> {
  const { text, finishReason, usage } = await generateText(callOf(model, request));
  return { type: 'text', text, finish: finishOf(finishReason), usage: usageOf(usage) };
}

async function streamed(model: LanguageModel, request: ModelRequest): Promise<ModelOutcome> {
  let text = '';
  let outcome: ModelOutcome | null = null;
  const { fullStream } = streamText({ ...callOf(model, request), onError: () => {} });
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new DOMException('aborted', 'AbortError');
    if (part.type === 'text-delta') {
      text += part.text;
      request.onText?.(text.length);
    }
    // A stream that ends early has no reason of the provider; that of the responses API has none when all is well.
    if (part.type === 'finish' && (finishOf(part.finishReason) !== 'other' || part.rawFinishReason !== undefined)) {
      outcome = { type: 'text', text, finish: finishOf(part.finishReason), usage: usageOf(part.totalUsage) };
    }
  }
  if (outcome === null) throw new Error('the stream ended without a finish');
  return outcome;
}

function finishOf(reason: string): FinishReason {
  if (reason === 'tool-calls') return 'tool-call';
  return reason === 'stop' || reason === 'length' || reason === 'content-filter' ? reason : 'other';
}

interface SdkUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly inputTokenDetails: { readonly cacheReadTokens: number | undefined };
}

function usageOf({ inputTokens, outputTokens, inputTokenDetails }: SdkUsage) {
  return {
    inputTokens: inputTokens ?? null,
    outputTokens: outputTokens ?? null,
    cachedInputTokens: inputTokenDetails.cacheReadTokens ?? null,
  };
}

function failureOf(error: unknown, signal: AbortSignal | undefined): ModelFailure {
  const fail = (kind: FailureKind): ModelFailure => ({
    kind,
    message: `failed: ${kind}`,
    retryAfterMs: null,
    learnedWindow: null,
  });
  if (signal?.aborted === true) return fail('aborted');
  const cause = error instanceof Error ? error : new Error(JSON.stringify(error));
  const status = APICallError.isInstance(cause) ? (cause.statusCode ?? null) : null;
  const words = `${cause.message} ${APICallError.isInstance(cause) ? cause.responseBody : ''}`;
  const headers = APICallError.isInstance(cause) ? (cause.responseHeaders ?? {}) : {};
  const limit =
    /(?:context length is(?: only)?|context size \(|limit of|context limit: \d+ \+ \d+ >|tokens >) ?(\d+)/.exec(words);
  const ms = headers['retry-after-ms'] ?? null;
  const seconds = headers['retry-after'] ?? null;
  const kind = kindOf(status, words);
  return {
    ...fail(kind),
    retryAfterMs: ms !== null ? Number(ms) : seconds !== null ? Number(seconds) * 1000 : null,
    learnedWindow: kind === 'overflow' && limit !== null ? Number(limit[1]) : null,
  };
}

function kindOf(status: number | null, words: string): FailureKind {
  if (/context.length|context window|context size|context limit|too long|configured limit/i.test(words))
    return 'overflow';
  if (/insufficient_quota|credit balance/.test(words) || status === 402) return 'quota';
  if (/flagged|content filter/i.test(words)) return 'content-filter';
  if (/overloaded/i.test(words) || (status !== null && status >= 500)) return 'overloaded';
  if (status === 401 || status === 403) return 'auth';
  if (status === 413) return 'overflow';
  if (status === 429) return 'rate-limit';
  if (/JSON|without a finish|No output|Failed to process|server had an error|Internal server/i.test(words)) {
    return /server/i.test(words) ? 'overloaded' : 'malformed';
  }
  if (/terminated|fetch failed|connect|socket/i.test(words)) return 'network';
  return status === 200 ? 'malformed' : 'unknown';
}

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(behave.empty);
});
afterAll(() => server.close());

/** The server starts later than the laws are named. */
const host = { url: '', script: (next: Parameters<ModelServer['script']>[0]) => server.script(next) };

for (const [name, client] of Object.entries(clients)) {
  for (const way of ['streamed', 'whole'] as const) {
    describe(`the laws of models, ${name}, ${way}`, () => {
      const make = adapterOf(client, way);
      for (const law of modelLaws((place) => make({ ...place, url: place.url || server.url }), host)) {
        it(law.name, () => law.run());
      }
    });
  }
}

describe('the laws of models, scripted', () => {
  const model = scriptedModel(behave.empty);
  for (const law of modelLaws(() => model, { url: '', script: model.script })) {
    // It has no network that could be missing.
    if (!law.name.startsWith('a server that is not there')) it(law.name, () => law.run());
  }
});

describe('modelLaws', () => {
  const model = scriptedModel(behave.empty);
  const brokenBy = async (
    change: (outcome: ModelOutcome, request: ModelRequest) => ModelOutcome,
  ): Promise<string[]> => {
    const changed: Model = { ...model, generate: async (request) => change(await model.generate(request), request) };
    const broken: string[] = [];
    for (const law of modelLaws(() => changed, { url: '', script: model.script })) {
      if (law.name.includes('slow') || law.name.includes('not there')) continue;
      if (await isBroken(law)) broken.push(law.name);
    }
    return broken;
  };

  it('finds a model that throws', async () => {
    const broken = await brokenBy((outcome) => {
      if (outcome.type === 'failed') throw new Error(outcome.failure.kind);
      return outcome;
    });
    expect(broken).toContain('status 500 is overloaded or network');
    expect(broken).toContain('aborting a stalled answer ends the request at once');
  });

  it('finds a model that shows the prompt', async () => {
    const broken = await brokenBy((outcome, { prompt }) =>
      outcome.type === 'text' ? outcome : { ...outcome, failure: { ...outcome.failure, message: `No: ${prompt}` } },
    );
    expect(broken).toContain('a failure shows neither key nor prompt, even when status 401 quotes them');
  });

  it('finds a model that calls every end a stop, loses cached tokens and forgets the window', async () => {
    const broken = await brokenBy((outcome) =>
      outcome.type === 'text'
        ? { ...outcome, finish: 'stop', usage: { ...outcome.usage, cachedInputTokens: null } }
        : { ...outcome, failure: { ...outcome.failure, learnedWindow: null, retryAfterMs: null } },
    );
    expect(broken).toEqual([
      'finish reason: truncated is length',
      'finish reason: tool call is tool-call',
      'an answer that a filter cut off is no answer',
      'usage is what the provider reports: 1000 of 1200 cached',
      'usage is what the provider reports: 0 of 77 cached',
      'retry-after in seconds: try again in 7000 ms',
      'retry-after in milliseconds: try again in 1500 ms',
      'an overloaded server with retry-after: try again in 2000 ms',
      'overflow (plain) teaches the window',
      'overflow (with-completion) teaches the window',
      'overflow (vllm) teaches the window',
      'overflow (llama.cpp) teaches the window',
      'overflow (openrouter) teaches the window',
    ]);
  });

  it('finds a model that hears of an abort and goes on', async () => {
    const deaf: Model = {
      ...model,
      generate: ({ instructions, prompt }) => model.generate({ instructions, prompt }),
    };
    const law = modelLaws(() => deaf, { url: '', script: model.script }).find(({ name }) =>
      name.includes('before the beginning'),
    );
    expect(await isBroken(law!)).toBe(true);
  });
});

async function isBroken(law: AsyncLaw): Promise<boolean> {
  try {
    await law.run();
    return false;
  } catch {
    return true;
  }
}
