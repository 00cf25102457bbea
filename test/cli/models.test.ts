import { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { doctorCommand } from '../../src/cli/commands/doctor/doctor.ts';
import type { Surroundings } from '../../src/cli/commands/doctor/surroundings.ts';
import { modelsCommand } from '../../src/cli/commands/models/models.ts';
import { environmentWith } from '../../src/cli/config/config.ts';
import { parseConfig } from '../../src/cli/config/parse-config.ts';
import type { World } from '../../src/cli/world.ts';
import { CATALOG_DATE } from '../../src/models/catalog/catalog-data.ts';
import type { Environment } from '../../src/models/providers.ts';
import { PROVIDERS } from '../../src/models/providers.ts';
import * as behave from '../../src/testing/model-server/behaviours.ts';
import { startModelServer } from '../../src/testing/model-server/model-server.ts';
import { precis } from './fake-world.ts';

const KEY = 'sk-very-secret';

interface Given {
  readonly env?: Environment;
  readonly files?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  readonly nodeVersion?: string;
  readonly canWrite?: boolean;
}

/** Runs one of the two commands with surroundings of its own. Nothing is found on the machine unless it is given. */
async function run(
  args: readonly string[],
  given: Given = {},
): Promise<{ readonly code: number; readonly out: string }> {
  let out = '';
  let code = 0;
  const screen = { isTerminal: false, colors: false, columns: 80 };
  const world: World = {
    out: (text) => {
      out += text;
    },
    err: () => {},
    outScreen: screen,
    errScreen: screen,
    now: () => 0,
    list: async () => [],
    kindOf: async (path) => (given.files?.[path] === undefined ? 'none' : 'file'),
    read: async (path) => given.files?.[path] ?? '',
    open: () => Promise.reject(new Error('no session is opened')),
    find: async () => [],
    write: async () => {},
    makeFolder: async () => {},
  };
  const surroundings: Surroundings = {
    env: given.env ?? {},
    nodeVersion: given.nodeVersion ?? '24.0.0',
    fetch: given.fetch ?? (() => Promise.reject(new TypeError('fetch failed'))),
    canWrite: async () => given.canWrite ?? true,
  };
  const finish = (exit: number): void => {
    code = exit;
  };
  const program = new Command('precis').exitOverride();
  program.addCommand(modelsCommand(world, surroundings.env));
  program.addCommand(doctorCommand(world, finish, surroundings));
  await program.parseAsync([...args], { from: 'user' });
  expect(out).not.toContain(KEY);
  return { code, out };
}

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly status: string; readonly text: string }[];
}

async function doctor(args: readonly string[], given: Given = {}): Promise<Report & { readonly code: number }> {
  const { code, out } = await run(['doctor', '--json', ...args], given);
  return { code, ...(JSON.parse(out) as Report) };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('precis models', () => {
  test('says which key is there and which variable is missing', async () => {
    const { out } = await run(['models'], { env: { ANTHROPIC_API_KEY: KEY, GEMINI_API_KEY: KEY } });
    expect(out).toMatch(/anthropic +ready +ANTHROPIC_API_KEY is set; https:\/\/api\.anthropic\.com\/v1\n/);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'e.g. anthropic/claude-haiku-4-5, 200,000 tokens, $1 in and $5 out per million tokens',
    );
    expect(out).toMatch(/openai +no +set OPENAI_API_KEY\n/);
    expect(out).toMatch(/google +ready +GEMINI_API_KEY is set/);
    expect(out).toMatch(/ollama +local +ollama\/qwen3:8b at http:\/\/127\.0\.0\.1:11434\/v1\n/);
    expect(out).toMatch(/compatible +no +set PRECIS_BASE_URL/);
  });

  test('fits 80 columns with every key', async () => {
    const env = Object.fromEntries(PROVIDERS.flatMap(({ keys }) => keys.map((name) => [name, KEY])));
    const { out } = await run(['models'], { env });
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('--json says the same', async () => {
    const env = { ANTHROPIC_API_KEY: KEY, PRECIS_BASE_URL: 'http://user:pass@x' };
    const { out } = await run(['models', '--json'], { env });
    const { version, catalog, config, providers } = JSON.parse(out) as {
      version: number;
      catalog: object;
      config: unknown;
      providers: readonly { readonly provider: string }[];
    };
    expect({ version, catalog, config }).toMatchObject({ version: 1, catalog: { date: CATALOG_DATE }, config: null });
    expect(providers.find(({ provider }) => provider === 'anthropic')).toEqual({
      provider: 'anthropic',
      status: 'ready',
      keyVariable: 'ANTHROPIC_API_KEY',
      keyVariables: ['ANTHROPIC_API_KEY'],
      baseURL: 'https://api.anthropic.com/v1',
      example: {
        id: 'anthropic/claude-haiku-4-5',
        contextWindow: 200_000,
        prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
      },
    });
    expect(providers.find(({ provider }) => provider === 'openai')).toMatchObject({ status: 'missing-key' });
    expect(providers.find(({ provider }) => provider === 'compatible')).toMatchObject({ status: 'bad-address' });
    expect(out).not.toContain('pass@');
  });

  test('names what the configuration chooses, and its server', async () => {
    const config = { model: 'compatible/m', fallbacks: ['claude-haiku-4-5'], baseURL: 'http://127.0.0.1:9/v1' };
    const { out } = await run(['models'], { files: { 'precis.config.json': JSON.stringify(config) } });
    expect(out).toContain('precis.config.json chooses compatible/m, then claude-haiku-4-5.');
    expect(out).toMatch(/compatible +ready +without a key; http:\/\/127\.0\.0\.1:9\/v1/);
  });

  test('NAME tells what is known of a model', async () => {
    const { out } = await run(['models', 'claude-haiku-4-5']);
    expect(out).toBe(`Claude Haiku 4.5
  id      anthropic/claude-haiku-4-5
  window  200,000 tokens
  output  up to 64,000 tokens
  price   $1 in and $5 out per million tokens
  cached  $0.1 per million tokens read from the cache
  key     ANTHROPIC_API_KEY
`);
    const { out: json } = await run(['models', 'claude-haiku-4-5', '--json']);
    expect(JSON.parse(json)).toMatchObject({ id: 'claude-haiku-4-5', contextWindow: 200_000 });
  });

  test('PROVIDER lists its models', async () => {
    const { out } = await run(['models', 'gemini']);
    expect(out).toMatch(/^gemini-2\.5-pro +1,048,576 +\$1\.25 +\$10$/m);
  });

  test('an unknown name is wrong input, with a suggestion', async () => {
    const { code, err, out } = await precis(['models', 'haiku-4']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('got `haiku-4` (did you mean `claude-haiku-4-5`');
  });

  test('is a command, reads the environment of the process, and has help with examples', async () => {
    vi.stubEnv('XAI_API_KEY', KEY);
    const { code, out } = await precis(['models']);
    expect(code).toBe(0);
    expect(out).toMatch(/xai +ready +XAI_API_KEY is set/);
    expect(out).not.toContain(KEY);
    for (const command of ['models', 'doctor'])
      expect((await precis(['help', command])).out).toContain('\nExamples:\n');
  });
});

describe('precis doctor', () => {
  test('fits on a screen and is content without any model', async () => {
    const { code, out } = await run(['doctor']);
    expect(code).toBe(0);
    expect(out).toBe(`Compaction works here; a model is optional.

  ok      node        Node.js 24.0.0
  ok      tokenizer   o200k counts exactly
  ok      catalogue   ${out.match(/\d+ models/)?.[0]}, as of ${CATALOG_DATE}
  ok      folder      results can be written here
  -       config      no precis.config.json, which is fine
  -       keys        none for anthropic, openai and 6 more; see precis models
  -       server      none on this machine (Ollama, LM Studio, llama.cpp, vLLM)
  -       model       none chosen; summaries are extracted
`);
  });

  test('names keys, never shows them', async () => {
    const { checks } = await doctor([], { env: { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY } });
    expect(checks.filter(({ name }) => name === 'keys')[0]).toEqual({
      name: 'keys',
      status: 'ok',
      text: 'ANTHROPIC_API_KEY, OPENAI_API_KEY',
    });
  });

  test('calls only this machine and what was configured, without keys', async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push(String(input));
      expect(new Headers(init?.headers).has('authorization')).toBe(false);
      throw new TypeError('fetch failed');
    };
    const env = { OPENAI_API_KEY: KEY, PRECIS_API_KEY: KEY, PRECIS_BASE_URL: 'https://llm.example/v1' };
    const { checks, code } = await doctor([], { env, fetch });
    expect(asked.toSorted()).toEqual([
      'http://127.0.0.1:11434/v1/models',
      'http://127.0.0.1:1234/v1/models',
      'http://127.0.0.1:8000/v1/models',
      'http://127.0.0.1:8080/v1/models',
      'https://llm.example/v1/models',
    ]);
    expect(code).toBe(0);
    expect(checks).toContainEqual({
      name: 'server',
      status: 'failed',
      text: 'nothing answers at https://llm.example/v1 (PRECIS_BASE_URL)',
    });
  });

  test('finds a server and its models', async () => {
    const server = await startModelServer(behave.empty, { models: ['a', 'b'] });
    try {
      const only: typeof globalThis.fetch = (input, init) =>
        String(input).startsWith(server.url) ? fetch(input, init) : Promise.reject(new TypeError('fetch failed'));
      const { checks } = await doctor([], { env: { OLLAMA_HOST: server.url }, fetch: only });
      expect(checks.find(({ name }) => name === 'server')).toEqual({
        name: 'server',
        status: 'ok',
        text: `Ollama at ${server.url}/v1 has a, b`,
      });
    } finally {
      await server.close();
    }
  });

  test.each<[Given, string, string]>([
    [{ nodeVersion: '20.1.0' }, 'node', 'failed'],
    [{ canWrite: false }, 'folder', 'failed'],
    [{ files: { 'precis.config.json': '{"model": 5}' } }, 'config', 'failed'],
    [{ files: { 'precis.config.json': '{"model": "nobody-knows-it"}' } }, 'model', 'failed'],
    [{ files: { 'precis.config.json': '{"target": 5000}' } }, 'config', 'ok'],
    [{ env: { PRECIS_BASE_URL: 'nope://' } }, 'server', 'failed'],
  ])('%j: %s %s, which is no reason to fail', async (given, name, status) => {
    const { checks, code } = await doctor([], given);
    expect(checks.find((check) => check.name === name)?.status).toBe(status);
    expect(code).toBe(0);
  });

  test('--model fails when the model cannot be used', async () => {
    const { code, ok, checks } = await doctor(['--model', 'claude-haiku-4-5']);
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    expect(checks.at(-1)).toEqual({
      name: 'model',
      status: 'failed',
      text: 'Set ANTHROPIC_API_KEY to use models of Anthropic.',
    });
  });

  test('--model is content with a key, and sends nothing', async () => {
    const { code, checks } = await doctor(['--model', 'claude-haiku-4-5'], { env: { ANTHROPIC_API_KEY: KEY } });
    expect(code).toBe(0);
    expect(checks.at(-1)).toEqual({ name: 'model', status: 'ok', text: 'anthropic/claude-haiku-4-5, 200,000 tokens' });
  });

  test('--live without a model fails', async () => {
    expect(await doctor(['--live'])).toMatchObject({ code: 1 });
  });

  test('--live asks the model', async () => {
    const server = await startModelServer([behave.answer('ready'), behave.status(401)]);
    const given = { env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url }, fetch };
    try {
      const good = await doctor(['--live', '--model', 'claude-haiku-4-5'], given);
      expect(good.code).toBe(0);
      expect(good.checks.at(-1)).toMatchObject({ name: 'live', status: 'ok' });
      const bad = await doctor(['--live', '--model', 'claude-haiku-4-5'], given);
      expect(bad.code).toBe(1);
      expect(bad.checks.at(-1)?.text).toMatch(/^127\.0\.0\.1:\d+ did not accept the key \(401/);
      expect(server.requests).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  test('a configuration that was named must be there', async () => {
    const { code, err } = await precis(['doctor', '--config', 'nowhere.json']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'precis: expected `--config` to name a file, got `nowhere.json`\n',
    });
  });
});

describe('precis.config.json', () => {
  test('has five fields', () => {
    const config = {
      model: 'anthropic/claude-haiku-4-5',
      fallbacks: ['openai/gpt-5-mini'],
      baseURL: 'http://127.0.0.1:8080/v1',
      target: 10_000,
      window: 200_000,
    };
    expect(parseConfig(JSON.stringify({ $schema: 'x', ...config }), 'f')).toEqual(config);
    expect(parseConfig('{}', 'f')).toEqual({});
  });

  test.each([
    ['{"model": 5}', 'expected `model` to be the name of a model such as "anthropic/claude-haiku-4-5", got `5`'],
    ['{"fallbacks": "a"}', 'expected `fallbacks` to be a list of model names, got `"a"`'],
    [
      '{"fallbacks": ["a", 1]}',
      'expected `fallbacks[1]` to be the name of a model such as "anthropic/claude-haiku-4-5", got `1`',
    ],
    ['{"target": 1.5}', 'expected `target` to be a whole number of tokens, 1 or more, got `1.5`'],
    ['{"window": 3}', 'expected `window` to be a whole number of tokens, 16 or more, got `3`'],
    [
      '{"baseURL": "http://u:hidden@x"}',
      'expected `baseURL` to be an http address without a password in it, got another value',
    ],
    ['{"modle": "x"}', 'unknown field `modle`; known fields are model, fallbacks, baseURL, template, target, window'],
    [
      '{"apiKey": "hidden"}',
      'unknown field `apiKey`; known fields are model, fallbacks, baseURL, template, target, window; keys belong in the environment',
    ],
    ['[]', 'expected an object such as {"model": "anthropic/claude-haiku-4-5"}'],
    ['{"a"', 'expected JSON (line 1 column 5)'],
  ])('%s is wrong: %s', (text, sentence) => {
    expect(() => parseConfig(text, 'my.json')).toThrow(`my.json: ${sentence}`);
    expect(() => parseConfig(text, 'my.json')).not.toThrow('hidden');
  });

  test('that just lies there cannot send keys to another machine', () => {
    const config = { baseURL: 'https://elsewhere.example/v1' };
    const found = { file: 'precis.config.json', config, isNamed: false };
    expect(() => environmentWith(found, {})).toThrow('expected `baseURL` to be on this machine');
    expect(environmentWith({ ...found, isNamed: true }, {})).toEqual({ PRECIS_BASE_URL: config.baseURL });
    expect(environmentWith(found, { PRECIS_BASE_URL: 'http://mine' })).toEqual({ PRECIS_BASE_URL: 'http://mine' });
    const near = { ...found, config: { baseURL: 'localhost:8080' } };
    expect(environmentWith(near, {})).toEqual({ PRECIS_BASE_URL: 'localhost:8080' });
  });
});
