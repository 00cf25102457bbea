import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Model, ModelRequest } from '../core/model.ts';
import { baseURLOf, isLoopback } from './base-url.ts';
import { findModel } from './catalog/catalog.ts';
import { createChain } from './chain/chain.ts';
import { type NamedModel, type NamedModelOptions, namedModel } from './named.ts';
import { PROVIDERS } from './providers.ts';

const REQUEST: ModelRequest = { instructions: 'Summarise.', prompt: 'A talk.' };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Leaves the connection open after the body. */
  readonly hangs?: boolean;
  /** Breaks the connection off after the body. */
  readonly breaks?: boolean;
}

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on this machine that gives these replies in turn, the last one for ever. */
async function serve(...replies: readonly Reply[]): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, headers, body: JSON.parse(text === '' ? '{}' : text) as Asked['body'] });
      const reply = replies[Math.min(asked.length, replies.length) - 1] ?? { body: '' };
      response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers });
      response.write(reply.body, () => {
        if (reply.breaks === true) response.destroy();
        else if (reply.hangs !== true) response.end();
      });
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function events(...data: readonly unknown[]): string {
  return data.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('');
}

function chatSays(text: string, finish = 'stop'): string {
  const chunk = (delta: object, more: object = {}): object => ({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  });
  return events(
    chunk({ role: 'assistant', reasoning_content: 'thinking' }),
    chunk({ content: text }),
    chunk({}, { finish_reason: finish }),
    {
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: 50, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 20 } },
    },
    '[DONE]',
  );
}

function anthropicSays(text: string): string {
  const usage = { input_tokens: 30, cache_read_input_tokens: 20, cache_creation_input_tokens: 0, output_tokens: 1 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], stop_reason: null, usage };
  const list: readonly { readonly type: string }[] = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ] as never;
  return list.map((each) => `event: ${each.type}\n${events(each)}`).join('');
}

function modelOf(found: NamedModel): Model {
  if (found.type !== 'model') throw new Error(found.message);
  return found.model;
}

function named(name: string, env: NamedModelOptions['env'], more: Partial<NamedModelOptions> = {}): Model {
  return modelOf(namedModel(name, { env, ...more }));
}

describe('a name', () => {
  test.each([
    ['anthropic/claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
    ['claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
    ['Claude-Haiku-4-5', 'anthropic/claude-haiku-4-5'],
    ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5-20250929'],
    ['vertex/claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
    ['gpt-5-mini', 'openai/gpt-5-mini'],
    ['gemini/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['openrouter/anthropic/claude-haiku-4.5', 'openrouter/anthropic/claude-haiku-4.5'],
    ['grok-4.5', 'xai/grok-4.5'],
    ['ollama/qwen3:8b', 'ollama/qwen3:8b'],
    ['compatible/meta-llama/Llama-3.3-70B', 'compatible/meta-llama/Llama-3.3-70B'],
    ['meta-llama/Some-New-Model', 'compatible/meta-llama/Some-New-Model'],
  ])('%s means %s', (name, id) => {
    const keys = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'OPENROUTER', 'XAI'].map((each) => [`${each}_API_KEY`, 'k']);
    const env = { ...Object.fromEntries(keys), PRECIS_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(named(name, env).id).toBe(id);
  });

  test('brings window and prices from the catalogue', () => {
    expect(named('claude-haiku-4-5', { ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      contextWindow: 200_000,
      maxOutput: 64_000,
      prices: { input: 1, output: 5 },
    });
  });

  test('of a server of one’s own costs nothing, and its window is what the server was started with', () => {
    const env = { OLLAMA_CONTEXT_LENGTH: '16384' };
    expect(namedModel('ollama/qwen3:8b', { env })).toMatchObject({
      warning: null,
      model: { contextWindow: 16_384, prices: { input: 0, output: 0 } },
    });
    expect(namedModel('ollama/qwen3:8b', { env: {} })).toMatchObject({
      warning: expect.stringContaining('OLLAMA_CONTEXT_LENGTH'),
    });
  });

  test('that nobody knows gets a warning', () => {
    const env = { PRECIS_BASE_URL: 'http://127.0.0.1:1' };
    expect(namedModel('compatible/brew', { env })).toMatchObject({
      warning: expect.stringContaining('128,000'),
      model: { prices: null },
    });
    expect(namedModel('compatible/brew', { env, contextWindow: 9000 })).toMatchObject({
      warning: null,
      model: { contextWindow: 9000 },
    });
  });
});

describe('why not', () => {
  test.each([
    ['claude-haiku-4-5', {}, 'missing-key', 'Set ANTHROPIC_API_KEY to use models of Anthropic.'],
    [
      'claude-haiku-4-5',
      { ANTHROPIC_API_KEY: ' ' },
      'missing-key',
      'Set ANTHROPIC_API_KEY to use models of Anthropic.',
    ],
    ['openai/gpt-5', {}, 'missing-key', 'Set OPENAI_API_KEY to use models of OpenAI.'],
    [
      'google/gemini-2.5-pro',
      {},
      'missing-key',
      'Set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY to use models of Google.',
    ],
    [
      'compatible/x',
      {},
      'missing-address',
      'Set PRECIS_BASE_URL to the address of the server, such as http://127.0.0.1:8080/v1.',
    ],
    [
      'compatible/x',
      { PRECIS_BASE_URL: 'ftp://x' },
      'bad-address',
      'Expected PRECIS_BASE_URL to be an http address without a password in it.',
    ],
    ['anthropic/', {}, 'bad-name', 'Expected a model after `anthropic/`, such as `anthropic/claude-haiku-4-5`.'],
    ['', {}, 'bad-name', 'Expected the name of a model such as `anthropic/claude-haiku-4-5`, got ``.'],
  ])('%j with %j: %s', (name, env, reason, message) => {
    expect(namedModel(name, { env })).toMatchObject({ type: 'unavailable', reason, message });
  });

  test('an unknown name says who can be named', () => {
    const found = namedModel('brew', { env: {} });
    expect(found).toMatchObject({ reason: 'unknown-model', variable: 'PRECIS_BASE_URL' });
    expect(found).toMatchObject({
      message: expect.stringMatching(/^Unknown model `brew`: put .*anthropic, openai.*\.$/),
    });
  });
});

describe('over a real connection', () => {
  test('an Ollama-like server is asked for chat completions', async () => {
    const { url, asked } = await serve({ body: chatSays('A summary.') });
    const model = named('ollama/qwen3:8b', { OLLAMA_HOST: url.replace('http://', '') });
    expect(await model.generate(REQUEST)).toEqual({
      type: 'text',
      text: 'A summary.',
      finish: 'stop',
      usage: { inputTokens: 50, outputTokens: 5, cachedInputTokens: 20 },
    });
    expect(asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        model: 'qwen3:8b',
        stream: true,
        messages: [
          { role: 'system', content: 'Summarise.' },
          { role: 'user', content: 'A talk.' },
        ],
      },
    });
    expect(asked[0]?.headers.authorization).toBeUndefined();
    expect(asked[0]?.body).not.toHaveProperty('max_tokens');
  });

  test('any compatible server gets its own key', async () => {
    const { url, asked } = await serve({ body: chatSays('x') });
    await named('compatible/m', { PRECIS_BASE_URL: url, PRECIS_API_KEY: 'k1', OPENAI_API_KEY: 'k2' }).generate(REQUEST);
    expect(asked[0]?.headers.authorization).toBe('Bearer k1');
  });

  test.each(['', '/v1', '/v1/'])('an Anthropic-like server at an address that ends in %j', async (path) => {
    const { url, asked } = await serve({ body: anthropicSays('A summary.') });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `${url}${path}` };
    expect(await named('claude-haiku-4-5', env).generate(REQUEST)).toEqual({
      type: 'text',
      text: 'A summary.',
      finish: 'stop',
      usage: { inputTokens: 50, outputTokens: 5, cachedInputTokens: 20 },
    });
    expect(asked[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'k' },
      body: { max_tokens: 32_000 },
    });
  });

  test('another server in place of OpenAI’s is asked for chat completions', async () => {
    const { url, asked } = await serve({ body: chatSays('x') });
    await named('openai/gpt-4o', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` }).generate(REQUEST);
    expect(asked[0]).toMatchObject({ path: '/v1/chat/completions', body: { store: false } });
  });

  test('OpenAI itself is asked for a response, which it is not to keep', async () => {
    const seen: { url: string; body: unknown }[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen.push({ url: String(input), body: JSON.parse(String(init?.body)) });
      return Response.json(
        { error: { code: 'invalid_api_key', message: 'Incorrect API key provided: k' } },
        { status: 401 },
      );
    };
    const outcome = await named('openai/gpt-5-mini', { OPENAI_API_KEY: 'k' }, { fetch }).generate(REQUEST);
    expect(outcome).toMatchObject({
      failure: { kind: 'auth', message: expect.stringContaining('api.openai.com did not accept the key (401') },
    });
    expect(seen).toMatchObject([{ url: 'https://api.openai.com/v1/responses', body: { store: false } }]);
  });

  test('Google is asked with the key in a header', async () => {
    const { url, asked } = await serve({
      body: events({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }),
    });
    const env = { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url };
    expect(await named('google/gemini-2.5-flash', env).generate(REQUEST)).toMatchObject({ text: 'Hi', finish: 'stop' });
    expect(asked[0]?.headers['x-goog-api-key']).toBe('k');
    expect(asked[0]?.path).toMatch(/^\/v1beta\/models\/gemini-2\.5-flash:streamGenerateContent/);
  });

  const env = (url: string): NamedModelOptions['env'] => ({ PRECIS_BASE_URL: url });
  const json = { 'content-type': 'application/json' };

  test.each<[string, Reply, object]>([
    [
      'rate-limit',
      { status: 429, headers: { ...json, 'retry-after': '2' }, body: '{"error":{"message":"slow"}}' },
      { kind: 'rate-limit', retryAfterMs: 2000 },
    ],
    [
      'overflow',
      {
        status: 400,
        headers: json,
        body: '{"error":{"code":400,"message":"request (10240 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":10240,"n_ctx":8192}}',
      },
      { kind: 'overflow', learnedWindow: 8192 },
    ],
    [
      'overloaded',
      { status: 503, headers: json, body: '{"error":{"message":"Loading model"}}' },
      { kind: 'overloaded' },
    ],
    ['a page instead of a stream', { body: '<html><h1>Login</h1></html>' }, { kind: 'malformed' }],
    ['nothing', { body: '' }, { kind: 'malformed' }],
    ['an answer broken off', { body: chatSays('half').slice(0, 300), breaks: true }, { kind: 'network' }],
    [
      'an answer that ends too soon',
      { body: chatSays('half').split('data: ').slice(0, 3).join('data: ') },
      { kind: 'malformed' },
    ],
    [
      'an error in the stream',
      { body: events({ error: { message: 'Overloaded', code: 529 } }) },
      { kind: 'overloaded' },
    ],
    ['rubbish in the stream', { body: events('{"nope', { x: 1 }) }, { kind: 'malformed' }],
  ])('%s is a failure', async (_what, reply, failure) => {
    const { url } = await serve(reply);
    expect(await named('compatible/m', env(url)).generate(REQUEST)).toMatchObject({ type: 'failed', failure });
  });

  test('no server is a failure', async () => {
    const { url } = await serve();
    servers.splice(0).forEach((server) => server.close());
    expect(await named('compatible/m', env(url)).generate(REQUEST)).toMatchObject({
      type: 'failed',
      failure: { kind: 'network', message: expect.stringContaining('ECONNREFUSED') },
    });
  });

  test('a server that falls silent is given up', async () => {
    const { url } = await serve({ body: chatSays('half').slice(0, 300), hangs: true });
    const model = named('compatible/m', env(url), { idleMs: 60 });
    expect(await model.generate(REQUEST)).toMatchObject({ type: 'failed', failure: { kind: 'timeout' } });
  });

  test('a chain gets over a bad moment and a bad key', async () => {
    const bad = await serve({ status: 401, headers: json, body: '{}' });
    const busy = await serve({ status: 529, headers: json, body: '{}' }, { body: anthropicSays('A summary.') });
    const models = [
      named('compatible/m', env(bad.url)),
      named('claude-haiku-4-5', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: busy.url }),
    ];
    const { outcome, attempts } = await createChain(models, { firstDelayMs: 1 }).generate(REQUEST);
    expect(outcome).toMatchObject({ text: 'A summary.' });
    expect(attempts.map(({ model, outcome: word }) => `${model} ${word}`)).toEqual([
      'compatible/m auth',
      'anthropic/claude-haiku-4-5 overloaded',
      'anthropic/claude-haiku-4-5 stop',
    ]);
  });
});

describe('an address', () => {
  test.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['localhost:8080', 'http://localhost:8080/v1'],
    ['https://x.example/api/v1/', 'https://x.example/api/v1'],
    ['https://x.example/openai', 'https://x.example/openai'],
    ['0.0.0.0:1', 'http://127.0.0.1:1/v1'],
    ['file:///etc', null],
    ['http://user:secret@x', null],
    ['http://', null],
  ])('%s is %s', (text, url) => {
    expect(baseURLOf(text, { path: '/v1', complete: 'when-bare' })).toBe(url);
  });

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
    [':1234', 'http://127.0.0.1:1234/v1'],
    ['https://ollama.example', 'https://ollama.example/v1'],
  ])('%s of Ollama is %s', (text, url) => {
    expect(baseURLOf(text, { path: '/v1', complete: 'when-bare', port: 11434 })).toBe(url);
  });

  test('is this machine, or not', () => {
    for (const url of ['http://127.0.0.1:1/v1', 'http://localhost', 'http://[::1]:8080'])
      expect(isLoopback(url)).toBe(true);
    for (const url of ['http://127.example', 'http://10.0.0.1', 'http://localhost.example', 'x'])
      expect(isLoopback(url)).toBe(false);
  });
});

test('the example of every hosted provider is a model of the catalogue', () => {
  for (const { id, example, needsKey } of PROVIDERS) if (needsKey) expect(findModel(example), id).not.toBeNull();
});
