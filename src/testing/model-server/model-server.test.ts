import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, type LanguageModel, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as behave from './behaviours.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

const KEY = 'sk-never-recorded';
const SECOND = 1000;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(behave.empty, { models: ['gpt-5', 'claude-sonnet-4-5'] });
});
afterAll(() => server.close());

const clients: Readonly<Record<string, () => LanguageModel>> = {
  '/v1/responses': () => createOpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY })('gpt-5'),
  '/v1/chat/completions': () => createOpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY }).chat('gpt-4.1'),
  '/v1/messages': () => createAnthropic({ baseURL: `${server.url}/v1`, apiKey: KEY })('claude-sonnet-4-5'),
};

async function post(path: string, body: object): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers: { 'x-api-key': KEY } });
}

describe.each(Object.entries(clients))('%s with the real client', (path, client) => {
  const request = { instructions: 'Be brief.', prompt: 'Grüße an 漢字', maxRetries: 0 };

  it('is recorded without its key, with what the model would read', async () => {
    server.script(behave.answer('Hello.'));
    await generateText({ model: client(), ...request });
    const seen = server.requests.at(-1)!;
    expect(seen).toMatchObject({ path, instructions: 'Be brief.', prompt: 'Grüße an 漢字' });
    expect(seen.text).toBe('Be brief.\nGrüße an 漢字');
    expect(seen.size).toBe(JSON.stringify(seen.body).length);
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(JSON.stringify(seen.headers)).toContain('[removed]');
  });

  it.each([
    ['stop', behave.answer('All of it.')],
    ['length', behave.truncated('Half of')],
    ['content-filter', behave.filtered],
    ['tool-calls', behave.toolCall({ name: 'look', args: { path: 'a "b" é' } })],
  ] as const)('ends with %s, streamed and whole', async (reason, behaviour) => {
    server.script(behaviour);
    const whole = await generateText({ model: client(), ...request });
    const stream = streamText({ model: client(), ...request });
    await stream.consumeStream();
    expect(whole.finishReason).toBe(reason);
    expect(await stream.finishReason).toBe(reason);
    expect(await stream.text).toBe(whole.text);
    const calls = [...whole.toolCalls, ...(await stream.toolCalls)].map(({ toolName, input }) => ({ toolName, input }));
    const call = { toolName: 'look', input: { path: 'a "b" é' } };
    expect(calls).toEqual(reason === 'tool-calls' ? [call, call] : []);
  });

  it('reports usage, with cached tokens as a part of the input', async () => {
    server.script(behave.answer('Ok.', { usage: { inputTokens: 900, outputTokens: 3, cachedInputTokens: 640 } }));
    const { usage } = await generateText({ model: client(), ...request });
    const stream = streamText({ model: client(), ...request });
    await stream.consumeStream();
    for (const { inputTokens, outputTokens, inputTokenDetails } of [usage, await stream.usage]) {
      expect([inputTokens, outputTokens, inputTokenDetails.cacheReadTokens]).toEqual([900, 3, 640]);
    }
  });

  it('is retried by the client as a real failure is, after the time the server names', async () => {
    server.script(behave.flaky(1, behave.answer('Now.'), behave.status(429, { retryAfterMs: 20 })));
    const before = server.requests.length;
    const started = Date.now();
    const { text } = await generateText({ model: client(), ...request, maxRetries: 1 });
    expect(text).toBe('Now.');
    expect(server.requests.length - before).toBe(2);
    // Without the time that the server names, the client waits for two seconds.
    expect(Date.now() - started).toBeLessThan(2 * SECOND);
  });

  it.each([401, 402, 403, 404, 413, 429, 500, 503, 529])(
    'fails with %i in words the client understands',
    async (code) => {
      server.script(behave.status(code));
      const error = await generateText({ model: client(), ...request }).catch((cause: unknown) => cause);
      expect(APICallError.isInstance(error)).toBe(true);
      const { statusCode, message, data } = error as APICallError;
      expect(statusCode).toBe(code);
      expect(message.length).toBeGreaterThan(5);
      // The client parsed the body by the schema of its provider.
      expect(data).toBeDefined();
    },
  );
});

describe('the words of providers', () => {
  const messageOf = async (path: string): Promise<unknown> => {
    const body = (await (await post(path, { model: 'm', messages: [], input: '' })).json()) as {
      error: { message: string };
    };
    return body.error.message;
  };

  it('name the window as each provider does', async () => {
    server.script(behave.overflow(200_000));
    expect(await messageOf('/v1/messages')).toBe('prompt is too long: 200001 tokens > 200000 maximum');
    expect(await messageOf('/v1/responses')).toMatch(/^Input tokens exceed the configured limit of 200000 tokens\./);
    expect(await messageOf('/v1/chat/completions')).toMatch(/^This model's maximum context length is 200000 tokens\./);
    server.script(behave.overflow(8192, { wording: 'llama.cpp' }));
    expect(await messageOf('/v1/chat/completions')).toMatch(/available context size \(8192 tokens\)/);
  });

  it('put an overflow without a number into the stream of the responses API, as it really does', async () => {
    server.script(behave.overflow(null));
    const response = await post('/v1/responses', { model: 'gpt-5', input: 'long', stream: true });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text.match(/^event: .*$/gm)).toEqual([
      'event: response.created',
      'event: response.in_progress',
      'event: error',
      'event: response.failed',
    ]);
    expect(text).toContain('context_length_exceeded');
  });

  it('say that there is no money left with 429 or, at Anthropic, with 400', async () => {
    server.script(behave.quota);
    expect((await post('/v1/chat/completions', { messages: [] })).status).toBe(429);
    expect((await post('/v1/messages', { messages: [] })).status).toBe(400);
    expect(await messageOf('/v1/messages')).toMatch(/^Your credit balance is too low/);
  });

  it('carry the time to try again in seconds or milliseconds', async () => {
    server.script(
      behave.sequence([behave.status(429, { retryAfterSeconds: 7 }), behave.status(529, { retryAfterMs: 150 })]),
    );
    expect((await post('/v1/messages', { messages: [] })).headers.get('retry-after')).toBe('7');
    expect((await post('/v1/messages', { messages: [] })).headers.get('retry-after-ms')).toBe('150');
  });
});

describe('streams', () => {
  it('have the events of each API in their order', async () => {
    server.script(behave.answer('Hi.'));
    const events = async (path: string): Promise<readonly string[]> => {
      const text = await (await post(path, { model: 'm', messages: [], input: '', stream: true })).text();
      return text.match(/^event: .*$/gm) ?? text.match(/^data: .*$/gm)!.map((line) => line.slice(0, 12));
    };
    expect(await events('/v1/messages')).toEqual(
      [
        'message_start',
        'content_block_start',
        'ping',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ].map((name) => `event: ${name}`),
    );
    expect(await events('/v1/responses')).toEqual(
      [
        'created',
        'in_progress',
        'output_item.added',
        'content_part.added',
        'output_text.delta',
        'output_text.done',
        'content_part.done',
        'output_item.done',
        'completed',
      ].map((name) => `event: response.${name}`),
    );
    expect((await events('/v1/chat/completions')).at(-1)).toBe('data: [DONE]');
  });

  it('of OpenAI-compatible servers hold usage only when it is asked for', async () => {
    server.script(behave.answer('Ok.', { usage: { inputTokens: 10, outputTokens: 2 } }));
    const usageWith = async (includeUsage: boolean): Promise<number | undefined> => {
      const client = createOpenAICompatible({ name: 'local', baseURL: `${server.url}/v1`, includeUsage });
      const stream = streamText({ model: client('qwen'), prompt: 'x' });
      await stream.consumeStream();
      return (await stream.usage).inputTokens;
    };
    expect(await usageWith(true)).toBe(10);
    expect(await usageWith(false)).toBeUndefined();
  });

  it('tear characters apart when told to', async () => {
    server.script(behave.answer('漢', { splitBytes: 1 }));
    const response = await post('/v1/messages', { messages: [], stream: true });
    const ends: number[] = [];
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body!) {
      pieces.push(piece as Uint8Array);
      ends.push((ends.at(-1) ?? 0) + (piece as Uint8Array).length);
    }
    const start = Buffer.concat(pieces).indexOf('漢');
    expect(start).toBeGreaterThan(0);
    expect(ends.some((end) => end === start + 1 || end === start + 2)).toBe(true);
  });

  it('of a blob arrive whole and soon', async () => {
    server.script(behave.huge(500_000));
    const stream = streamText({ model: clients['/v1/messages']!(), prompt: 'x' });
    await stream.consumeStream();
    expect((await stream.text).length).toBe(2_000_000);
  });
});

describe('the server', () => {
  it('lists its models as each provider does', async () => {
    const list = async (headers: Record<string, string>): Promise<unknown> =>
      (await fetch(`${server.url}/v1/models`, { headers })).json();
    expect(await list({})).toMatchObject({ object: 'list', data: [{ id: 'gpt-5', object: 'model' }, {}] });
    expect(await list({ 'anthropic-version': '2023-06-01' })).toMatchObject({
      data: [{ id: 'gpt-5', type: 'model' }, {}],
      has_more: false,
      last_id: 'claude-sonnet-4-5',
    });
  });

  it('answers unknown paths and bodies that are not JSON with an error', async () => {
    expect((await fetch(`${server.url}/v2/other`)).status).toBe(404);
    const broken = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{"a":' });
    expect(broken.status).toBe(400);
  });

  it('takes a list of behaviours, of which the last stays, or chooses one for each request', async () => {
    const textOf = async (prompt: string): Promise<string> =>
      (await generateText({ model: clients['/v1/messages']!(), prompt })).text;
    server.script([behave.answer('one'), behave.answer('two')]);
    expect([await textOf('x'), await textOf('x'), await textOf('x')]).toEqual(['one', 'two', 'two']);
    server.script(({ prompt }) => (prompt.includes('?') ? behave.answer('Yes.') : behave.echo));
    expect([await textOf('Is it?'), await textOf('It is.')]).toEqual(['Yes.', 'It is.']);
  });

  it('says when the script itself fails', async () => {
    server.script([]);
    const response = await post('/v1/messages', { messages: [] });
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('The script failed: Error: Expected a script with at least one behaviour');
  });

  it('closes at once although a request stalls and another one has not begun', async () => {
    await using own = await startModelServer([behave.stall(), behave.slow({ firstByteMs: 60_000 })]);
    const body = JSON.stringify({ messages: [], stream: true });
    const ask = (): Promise<unknown> =>
      fetch(`${own.url}/v1/messages`, { method: 'POST', body }).then(
        (response) => response.text(),
        () => 'broken',
      );
    const pending = [ask().catch(() => 'broken'), ask().catch(() => 'broken')];
    while (own.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const started = Date.now();
    await own.close();
    expect(await Promise.all(pending)).toEqual(['broken', 'broken']);
    expect(Date.now() - started).toBeLessThan(10 * SECOND);
  });
});
