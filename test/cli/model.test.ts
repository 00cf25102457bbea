import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { behave, type ModelServer, startModelServer } from '../../src/testing/index.ts';
import { fixture, precis } from './fake-world.ts';

/** The command line with a real HTTP server in place of a provider. */
describe('precis compact --model', () => {
  let server: ModelServer;
  const before = { ...process.env };

  beforeEach(async () => {
    server = await startModelServer(behave.good);
    process.env['PRECIS_BASE_URL'] = `${server.url}/v1`;
    process.env['ANTHROPIC_BASE_URL'] = server.url;
    process.env['ANTHROPIC_API_KEY'] = ['sk', 'test', 'key'].join('-');
  });

  afterEach(async () => {
    await server.close();
    for (const name of ['PRECIS_BASE_URL', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  const session = fixture('rate-limiter/session.json');
  const run = (...args: string[]) =>
    precis(['compact', session, '--target', '8000', '--json', '--out', 'small.json', ...args]);

  test.each(['compatible/some-model', 'anthropic/claude-haiku-4-5'])(
    'asks %s once and puts its lines into the handoff',
    async (name) => {
      const { code, out, written } = await run('--model', name);
      const receipt = JSON.parse(out) as {
        outcome: string;
        writer: { kind: string; model: string };
        calls: unknown[];
        tokens: { after: number };
      };
      expect({ code, kind: receipt.writer.kind, calls: receipt.calls.length }).toEqual({
        code: 0,
        kind: 'model',
        calls: 1,
      });
      expect(receipt.tokens.after).toBeLessThanOrEqual(8_000);
      expect(server.requests).toHaveLength(1);
      expect(written['small.json']).toMatch(/\\n\* [^\\]+\(#\d+/);
    },
  );

  test('tells the model what to look at most, and never sends a key', async () => {
    await run('--model', 'compatible/some-model', '--focus', 'the flaky test');
    expect(server.requests[0]?.text).toContain('the flaky test');
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('sk-test-key');
  });

  test('writes what code alone writes when the model refuses, and says so', async () => {
    server.script(behave.refuse('en'));
    const { code, out, written } = await run('--model', 'compatible/some-model');
    const alone = await run();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'fell-back',
      writer: { kind: 'extractive', validation: { rejected: { refusal: 2 } } },
    });
    expect(written['small.json']).toBe(alone.written['small.json']);
  });

  test('says in one sentence which variable a model needs', async () => {
    delete process.env['ANTHROPIC_API_KEY'];
    delete process.env['PRECIS_BASE_URL'];
    const { code, err, written } = await run('--model', 'anthropic/claude-haiku-4-5');
    expect({ code, written }).toEqual({ code: 2, written: {} });
    expect(err).toContain('ANTHROPIC_API_KEY');
    expect(server.requests).toHaveLength(0);
  });

  test('keeps every request within a small window, also for a long session', async () => {
    server.script(behave.good);
    const { out } = await precis([
      'compact',
      session,
      '--target',
      '6000',
      '--passes',
      '3',
      '--json',
      '--model',
      'compatible/some-model',
    ]);
    const receipt = JSON.parse(out) as { calls: unknown[] };
    expect(receipt.calls.length).toBe(server.requests.length);
    expect(server.requests.length).toBeLessThanOrEqual(3 * 8);
  });
});
