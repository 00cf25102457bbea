import { describe, expect, test } from 'vitest';
import { heuristicCounter } from '../../../core/tokens/counter.ts';
import { behave, type Script, type ScriptedModel, scriptedModel } from '../../../testing/index.ts';
import { type Ask, type Asker, type AskPorts, createAsker, type KeptAnswer } from './asker.ts';
import { createBudget } from './budget.ts';
import { createLimiter } from './limiter.ts';

interface Setup {
  readonly asker: Asker;
  readonly model: ScriptedModel;
  readonly kept: Map<string, KeptAnswer>;
  readonly waits: number[];
  readonly ports: AskPorts;
}

function setup(script: Script, options: { readonly limit?: number; readonly width?: number } = {}): Setup {
  const kept = new Map<string, KeptAnswer>();
  const waits: number[] = [];
  const model = scriptedModel(script, { prices: { input: 1, output: 10 } });
  const ports: AskPorts = {
    cache: { get: async (key) => kept.get(key) ?? null, put: async (key, answer) => void kept.set(key, answer) },
    budget: createBudget(options.limit ?? null),
    limiter: createLimiter(options.width ?? 4),
    counter: heuristicCounter,
    digest: (text) =>
      [...text]
        .reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) >>> 0, 7)
        .toString(16)
        .padStart(40, '0'),
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    now: () => 0,
    onCall: () => {},
  };
  return { asker: createAsker(ports), model, kept, waits, ports };
}

const askOf = (model: ScriptedModel, prompt = 'question', more: Partial<Ask> = {}): Ask => ({
  role: 'answer',
  model,
  request: { instructions: 'answer', prompt },
  replicate: 1,
  attempt: 0,
  ...more,
});

describe('asking', () => {
  test('pays once for the same request, and again for another run, attempt, rubric or model', async () => {
    const { asker, model } = setup(behave.answer('yes'));
    await Promise.all([asker(askOf(model)), asker(askOf(model))]);
    await asker(askOf(model));
    expect(model.requests).toHaveLength(1);
    for (const more of [{ replicate: 2 }, { attempt: 1 }, { dependsOn: 'rubric' }])
      await asker(askOf(model, 'question', more));
    expect(model.requests).toHaveLength(4);
  });

  test('never keeps an error, nor an answer without words', async () => {
    const { asker, model, kept } = setup([
      behave.status(400),
      behave.answer('  '),
      behave.filtered,
      behave.answer('yes'),
    ]);
    for (const type of ['failed', 'failed', 'failed', 'answered']) expect((await asker(askOf(model))).type).toBe(type);
    expect(kept.size).toBe(1);
  });

  test('waits as long as a provider asks, else longer each time, and gives up in the end', async () => {
    const { asker, model, waits } = setup([
      behave.status(429, { retryAfterMs: 70 }),
      behave.status(529),
      behave.status(503),
      behave.answer('yes'),
    ]);
    expect((await asker(askOf(model))).type).toBe('answered');
    expect(waits).toEqual([70, 1_000, 2_000]);
    const never = setup(behave.status(529));
    expect(await never.asker(askOf(never.model))).toMatchObject({ type: 'failed', failure: { kind: 'overloaded' } });
    expect(never.model.requests).toHaveLength(6);
  });

  test('halves what runs at a time when it is too much, and grows again', async () => {
    const { asker, model, ports } = setup([behave.status(429, { retryAfterMs: 1 }), behave.answer('yes')], {
      width: 8,
    });
    await asker(askOf(model));
    expect(ports.limiter.width).toBe(4);
    for (let n = 0; n < 40; n++) await asker(askOf(model, `question ${n}`));
    expect(ports.limiter.width).toBe(8);
  });

  test('writes down what it would ask, once, and asks nobody', async () => {
    const { model, ports } = setup(behave.answer('yes'));
    const missing: string[] = [];
    const asker = createAsker({ ...ports, defer: ({ key }) => missing.push(key) });
    expect(await asker(askOf(model))).toEqual({ type: 'deferred' });
    expect({ missing: missing.length, asked: model.requests.length }).toEqual({ missing: 1, asked: 0 });
  });
});

describe('the budget', () => {
  test('is never exceeded, however many ask at a time', async () => {
    const limit = 0.1;
    const { asker, model, ports } = setup(behave.answer('word '.repeat(100)), { limit, width: 16 });
    const asked = await Promise.all(Array.from({ length: 200 }, (_, n) => asker(askOf(model, `question ${n}`))));
    const answered = asked.filter(({ type }) => type === 'answered').length;
    expect(ports.budget.spent).toBeLessThanOrEqual(limit);
    expect(ports.budget.isExhausted).toBe(true);
    expect(answered).toBeGreaterThan(50);
    expect(asked.filter(({ type }) => type === 'over-budget').length).toBe(200 - answered);
  });

  test('counts what an earlier process spent', async () => {
    const budget = createBudget(1, 0.9);
    expect(await budget.reserve(0.2)).toBe(false);
    expect(createBudget(null, 5).isExhausted).toBe(false);
  });
});
