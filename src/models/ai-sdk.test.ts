import { APICallError, simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ModelRequest } from '../core/model.ts';
import { fromLanguageModel, type LanguageModelOptions } from './ai-sdk.ts';

type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer P> ? P : never;

const REQUEST: ModelRequest = { instructions: 'Summarise.', prompt: 'A long talk.' };

const USAGE = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 40, cacheWrite: undefined },
  outputTokens: { total: 7, text: 5, reasoning: 2 },
};

function says(text: string, finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' = 'stop'): Part[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'hm, let me think' },
    { type: 'reasoning-end', id: 'r' },
    { type: 'text-start', id: 't' },
    ...[...text].map((delta): Part => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: { unified: finish, raw: finish }, usage: USAGE },
  ];
}

function mock(parts: readonly Part[], delay: number | null = null): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'anthropic.messages',
    modelId: 'claude-sonnet-4-5',
    doStream: async () => ({ stream: simulateReadableStream({ chunks: [...parts], chunkDelayInMs: delay }) }),
  });
}

function throwing(error: unknown): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: () => Promise.reject(error),
  });
}

/** A stream that says this and then nothing, and does not look at its signal. */
function silentAfter(parts: readonly Part[]): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: new ReadableStream<Part>({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part);
        },
      }),
    }),
  });
}

async function ask(
  model: MockLanguageModelV4,
  options: LanguageModelOptions = {},
  request: Partial<ModelRequest> = {},
) {
  return fromLanguageModel(model, options).generate({ ...REQUEST, ...request });
}

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  process.on('unhandledRejection', note);
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
  expect(console.error).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

describe('an answer', () => {
  test('is its text without the reasoning, with what it cost', async () => {
    expect(await ask(mock(says('done')))).toEqual({
      type: 'text',
      text: 'done',
      finish: 'stop',
      usage: { inputTokens: 100, outputTokens: 7, cachedInputTokens: 40 },
    });
  });

  test.each([
    ['length', 'length'],
    ['content-filter', 'content-filter'],
    ['tool-calls', 'tool-call'],
    ['error', 'other'],
  ] as const)('that ends with %s says %s', async (sdk, finish) => {
    expect(await ask(mock(says('half', sdk)))).toMatchObject({ type: 'text', text: 'half', finish });
  });

  test('counts as unknown what the provider did not say', async () => {
    const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
    const usage = { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
    const parts = says('x').with(-1, { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage });
    expect(await ask(mock(parts))).toMatchObject({
      usage: { inputTokens: null, outputTokens: null, cachedInputTokens: null },
    });
  });

  test('is reported while it is written', async () => {
    const seen: number[] = [];
    await ask(mock(says('abc')), {}, { onText: (characters) => seen.push(characters) });
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('a request', () => {
  test('has instructions and prompt, no cap on the length, and is made once', async () => {
    const model = new MockLanguageModelV4({
      doStream: async () => ({ stream: simulateReadableStream({ chunks: says('x'), chunkDelayInMs: null }) }),
    });
    await ask(model);
    expect(model.doStreamCalls).toHaveLength(1);
    expect(model.doStreamCalls[0]?.maxOutputTokens).toBeUndefined();
    expect(model.doStreamCalls[0]?.prompt).toMatchObject([
      { role: 'system', content: 'Summarise.' },
      { role: 'user', content: [{ type: 'text', text: 'A long talk.' }] },
    ]);
  });

  test('to Anthropic, whose wire demands a length, has room for any summary', async () => {
    const model = mock(says('x'));
    await ask(model);
    expect(model.doStreamCalls[0]?.maxOutputTokens).toBe(32_000);
  });
});

describe('a model', () => {
  test('is described by the catalogue', () => {
    expect(fromLanguageModel(mock([]))).toMatchObject({
      id: 'anthropic/claude-sonnet-4-5',
      contextWindow: 200_000,
      maxOutput: 64_000,
      prices: { input: 3, output: 15 },
    });
  });

  test('is described by the caller, who knows better', () => {
    const given = { id: 'mine', contextWindow: 5000, maxOutput: null, prices: null };
    expect(fromLanguageModel(mock([]), given)).toMatchObject(given);
  });

  test('that nobody knows has a window of 128,000 tokens and no prices', () => {
    const model = new MockLanguageModelV4({ provider: 'home', modelId: 'brew' });
    expect(fromLanguageModel(model)).toMatchObject({ id: 'home/brew', contextWindow: 128_000, prices: null });
  });

  test('can be a name, as the SDK allows', () => {
    expect(fromLanguageModel('openai/gpt-5-mini').id).toBe('openai/gpt-5-mini');
  });
});

describe('a failure is an outcome', () => {
  test('when the call fails, which is not tried again', async () => {
    const error = new APICallError({
      message: 'slow down',
      url: 'https://api.example.com/v1/messages?key=secret',
      requestBodyValues: { prompt: 'A long talk.' },
      statusCode: 429,
      responseHeaders: { 'retry-after': '3' },
      responseBody: '{"error":{"type":"rate_limit_error","message":"slow down, secret"}}',
    });
    const model = throwing(error);
    expect(await ask(model)).toEqual({
      type: 'failed',
      failure: {
        kind: 'rate-limit',
        message: 'api.example.com asks for fewer requests (429, rate_limit_error).',
        retryAfterMs: 3000,
        learnedWindow: null,
      },
    });
    expect(model.doStreamCalls).toHaveLength(1);
  });

  test('when the stream breaks off with an error', async () => {
    const parts: Part[] = [...says('half').slice(0, 6), { type: 'error', error: { type: 'overloaded_error' } }];
    expect(await ask(mock(parts))).toMatchObject({ type: 'failed', failure: { kind: 'overloaded' } });
  });

  test('when the stream ends without an end', async () => {
    expect(await ask(mock(says('half').slice(0, -2)))).toMatchObject({
      type: 'failed',
      failure: { kind: 'malformed' },
    });
  });

  test('when the stream is empty', async () => {
    expect(await ask(mock([]))).toMatchObject({ type: 'failed', failure: { kind: 'malformed' } });
  });

  test('when something else is thrown', async () => {
    expect(await ask(throwing('boom'))).toMatchObject({ type: 'failed', failure: { kind: 'unknown' } });
    expect(await ask(throwing(undefined))).toMatchObject({ type: 'failed', failure: { kind: 'unknown' } });
  });
});

describe('a model that is too slow', () => {
  test('is given up when it is silent, even if it ignores its signal', async () => {
    expect(await ask(silentAfter(says('half').slice(0, 6)), { idleMs: 40 })).toEqual({
      type: 'failed',
      failure: {
        kind: 'timeout',
        message: 'The model wrote nothing for 0.04 s.',
        retryAfterMs: null,
        learnedWindow: null,
      },
    });
  });

  test('is given up when it never starts', async () => {
    const model = new MockLanguageModelV4({ doStream: () => new Promise(() => {}) });
    expect(await ask(model, { idleMs: 40 })).toMatchObject({ failure: { kind: 'timeout' } });
  });

  test('is given up when the whole takes too long, although it goes on writing', async () => {
    const model = mock(says('x'.repeat(100)), 10);
    expect(await ask(model, { idleMs: 1000, totalMs: 60 })).toMatchObject({
      failure: { kind: 'timeout', message: 'The model was not done after 0.06 s.' },
    });
  });

  test('is not given up while it writes', async () => {
    expect(await ask(mock(says('12345678'), 15), { idleMs: 100 })).toMatchObject({ type: 'text', text: '12345678' });
  });
});

describe('a cancelled request', () => {
  test('ends at once', async () => {
    const stop = new AbortController();
    const asked = ask(silentAfter([]), {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    expect(await asked).toMatchObject({ type: 'failed', failure: { kind: 'aborted' } });
  });

  test('is not sent when it was cancelled before', async () => {
    const model = mock(says('x'));
    expect(await ask(model, {}, { signal: AbortSignal.abort() })).toMatchObject({ failure: { kind: 'aborted' } });
    expect(model.doStreamCalls).toHaveLength(0);
  });
});
