import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelLaws } from '../testing/model-laws.ts';
import { type ModelServer, startModelServer } from '../testing/model-server/model-server.ts';
import type { Script } from '../testing/model-server/reply.ts';
import { modelChain } from './chain/chain.ts';
import { namedModel } from './named.ts';
import type { Environment } from './providers.ts';

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer([]);
});

afterAll(() => server.close());

/** The server starts after the tests are listed. */
const host = {
  get url(): string {
    return server.url;
  },
  script: (next: Script): void => server.script(next),
};

describe.each<[name: string, env: (url: string, key: string) => Environment]>([
  ['anthropic/claude-haiku-4-5', (url, key) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url })],
  ['openai/gpt-5-mini', (url, key) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` })],
  ['compatible/scripted', (url, key) => ({ PRECIS_API_KEY: key, PRECIS_BASE_URL: url })],
])('%s keeps the laws of models', (name, env) => {
  const laws = modelLaws(({ url, apiKey }) => {
    const found = namedModel(name, { env: env(url, apiKey) });
    if (found.type === 'unavailable') throw new Error(found.message);
    return found.model;
  }, host);
  for (const law of laws) test(law.name, () => law.run());
});

describe('a chain as a model keeps the laws of models', () => {
  const laws = modelLaws(({ url, apiKey }) => {
    const found = namedModel('compatible/scripted', { env: { PRECIS_API_KEY: apiKey, PRECIS_BASE_URL: url } });
    if (found.type === 'unavailable') throw new Error(found.message);
    return modelChain([found.model], { retries: 0 });
  }, host);
  // A call of a tool, where none was offered, is no answer: the next candidate is asked.
  const others = laws.filter(({ name }) => name !== 'finish reason: tool call is tool-call');
  expect(others).toHaveLength(laws.length - 1);
  for (const law of others) test(law.name, () => law.run());
});
