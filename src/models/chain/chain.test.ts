import { describe, expect, test } from 'vitest';
import type { FailureKind, FinishReason, Model, ModelOutcome, ModelRequest } from '../../core/model.ts';
import { plainFailure } from '../failure/failure.ts';
import { createChain, modelChain } from './chain.ts';
import type { ChainOptions } from './options.ts';

const REQUEST: ModelRequest = { instructions: 'Summarise.', prompt: 'A talk.' };
const USAGE = { inputTokens: 10, outputTokens: 2, cachedInputTokens: null };

function text(value = 'a summary', finish: FinishReason = 'stop'): ModelOutcome {
  return { type: 'text', text: value, finish, usage: USAGE };
}

function fails(kind: FailureKind, retryAfterMs: number | null = null): ModelOutcome {
  return { type: 'failed', failure: { ...plainFailure(kind, `It was ${kind}.`), retryAfterMs } };
}

/** A world in which time passes only when someone sleeps or answers. */
function clockwork(options: ChainOptions = {}) {
  const clock = { now: 1_000_000 };
  const slept: number[] = [];
  const settings: ChainOptions = {
    now: () => clock.now,
    sleep: async (ms) => {
      slept.push(ms);
      clock.now += ms;
    },
    random: () => 0.5,
    ...options,
  };
  return { clock, slept, settings };
}

/** Answers in this order, the last one for ever. Every answer takes 100 ms. */
function scripted(id: string, script: readonly ModelOutcome[], clock?: { now: number }): Model & { asked: number } {
  const model = {
    id,
    contextWindow: 1000,
    maxOutput: null,
    prices: null,
    asked: 0,
    generate: async (): Promise<ModelOutcome> => {
      if (clock !== undefined) clock.now += 100;
      const outcome = script[Math.min(model.asked, script.length - 1)];
      model.asked += 1;
      return outcome ?? text();
    },
  };
  return model;
}

describe('the first candidate that answers', () => {
  test('is the only one asked', async () => {
    const { clock, settings } = clockwork();
    const [a, b] = [scripted('a', [text()], clock), scripted('b', [text()], clock)];
    const result = await createChain([a, b], settings).generate(REQUEST);
    expect(result).toEqual({
      outcome: text(),
      model: 'a',
      attempts: [{ model: 'a', outcome: 'stop', ms: 100, waitedMs: 0, ...USAGE }],
      resting: [],
    });
    expect(b.asked).toBe(0);
  });

  test('is asked with the request as it is', async () => {
    const seen: ModelRequest[] = [];
    const generate = async (request: ModelRequest): Promise<ModelOutcome> => {
      seen.push(request);
      return text();
    };
    const model: Model = { ...scripted('a', []), generate };
    const onText = (): void => {};
    await createChain([model]).generate({ ...REQUEST, onText });
    expect(seen[0]).toMatchObject({ ...REQUEST, onText });
  });
});

describe('a passing failure', () => {
  test.each(['rate-limit', 'overloaded', 'network'] as const)('%s is tried twice more, ever later', async (kind) => {
    const { clock, slept, settings } = clockwork();
    const [a, b] = [scripted('a', [fails(kind)], clock), scripted('b', [text()], clock)];
    const { model, attempts } = await createChain([a, b], settings).generate(REQUEST);
    expect(model).toBe('b');
    expect(slept).toEqual([500, 1000]);
    expect(attempts.map(({ outcome, waitedMs }) => [outcome, waitedMs])).toEqual([
      [kind, 0],
      [kind, 500],
      [kind, 1000],
      ['stop', 0],
    ]);
  });

  test.each(['timeout', 'malformed'] as const)('%s costs a whole answer, so it is tried once more', async (kind) => {
    const { settings } = clockwork();
    const [a, b] = [scripted('a', [fails(kind)]), scripted('b', [text()])];
    await createChain([a, b], settings).generate(REQUEST);
    expect(a.asked).toBe(2);
  });

  test('that passes costs nothing but the wait', async () => {
    const { settings } = clockwork();
    const a = scripted('a', [fails('overloaded'), text()]);
    const chain = createChain([a], settings);
    expect((await chain.generate(REQUEST)).outcome).toEqual(text());
    expect(chain.state().candidates).toEqual({});
  });

  test('waits never longer than the cap', async () => {
    const { slept, settings } = clockwork({ retries: 8, random: () => 0.999 });
    await createChain([scripted('a', [fails('network')])], settings).generate(REQUEST);
    expect(Math.max(...slept)).toBeLessThanOrEqual(30_000);
    expect(slept).toHaveLength(8);
  });

  test('waits as long as the provider asks', async () => {
    const { slept, settings } = clockwork();
    await createChain([scripted('a', [fails('rate-limit', 7000), text()])], settings).generate(REQUEST);
    expect(slept).toEqual([7000]);
  });

  test('goes to the next candidate when the provider asks for too long, and rests so long', async () => {
    const { clock, slept, settings } = clockwork();
    const a = scripted('a', [fails('rate-limit', 120_000)]);
    const chain = createChain([a, scripted('b', [text()])], settings);
    expect((await chain.generate(REQUEST)).model).toBe('b');
    expect({ slept, asked: a.asked }).toEqual({ slept: [], asked: 1 });
    expect(chain.state().candidates['a']?.until).toBe(clock.now + 120_000);
  });
});

describe('a failure that cannot pass', () => {
  test.each(['auth', 'quota', 'overflow', 'content-filter', 'unknown'] as const)(
    '%s leads to the next candidate at once',
    async (kind) => {
      const { slept, settings } = clockwork();
      const a = scripted('a', [fails(kind)]);
      expect((await createChain([a, scripted('b', [text()])], settings).generate(REQUEST)).model).toBe('b');
      expect({ slept, asked: a.asked }).toEqual({ slept: [], asked: 1 });
    },
  );

  test('is the outcome when it was the last', async () => {
    const { settings } = clockwork();
    const chain = createChain([scripted('a', [fails('auth')]), scripted('b', [fails('quota')])], settings);
    expect(await chain.generate(REQUEST)).toMatchObject({ outcome: fails('quota'), model: 'b' });
  });

  test.each<[FailureKind, ModelOutcome]>([
    ['content-filter', text('half', 'content-filter')],
    ['malformed', text(' \n')],
  ])('an answer that is none is one: %s', async (kind, outcome) => {
    const { settings } = clockwork();
    const { attempts, model } = await createChain(
      [scripted('a', [outcome]), scripted('b', [text()])],
      settings,
    ).generate(REQUEST);
    expect(model).toBe('b');
    expect(attempts[0]).toMatchObject({ outcome: kind, ...USAGE });
  });

  test('half an answer is given back, as its reader may use it', async () => {
    const { settings } = clockwork();
    const outcome = text('half', 'length');
    expect((await createChain([scripted('a', [outcome])], settings).generate(REQUEST)).outcome).toBe(outcome);
  });

  test('a model that throws is no harm', async () => {
    const { settings } = clockwork();
    const model: Model = { ...scripted('a', []), generate: () => Promise.reject(new Error('boom')) };
    expect((await createChain([model], settings).generate(REQUEST)).outcome).toMatchObject({
      failure: { kind: 'unknown' },
    });
  });
});

describe('a candidate that failed rests (B96)', () => {
  test.each<[FailureKind, number | null]>([
    ['auth', 600],
    ['quota', 600],
    ['timeout', 60],
    ['network', 60],
    ['unknown', 60],
    ['overflow', null],
    ['content-filter', null],
  ])('after %s for %s s', async (kind, seconds) => {
    const { clock, settings } = clockwork({ retries: 0 });
    const a = scripted('a', [fails(kind), text()]);
    const chain = createChain([a, scripted('b', [text()])], settings);
    await chain.generate(REQUEST);
    if (seconds !== null) {
      clock.now += seconds * 1000 - 1;
      const { resting, model } = await chain.generate(REQUEST);
      expect({ resting, model }).toEqual({ resting: ['a'], model: 'b' });
      clock.now += 1;
    }
    expect((await chain.generate(REQUEST)).model).toBe('a');
    expect(chain.state().candidates).toEqual({});
  });

  test('longer with every timeout in a row, and shortly again after an answer', async () => {
    const { clock, settings } = clockwork({ retries: 0 });
    const script = [...Array.from({ length: 4 }, () => fails('timeout')), text(), fails('timeout')];
    const chain = createChain([scripted('a', script)], settings);
    const rests: number[] = [];
    for (const _ of script) {
      await chain.generate(REQUEST);
      const rest = (chain.state().candidates['a']?.until ?? clock.now) - clock.now;
      rests.push(rest / 1000);
      clock.now += rest;
    }
    expect(rests).toEqual([60, 300, 900, 900, 0, 60]);
  });

  test('and when all rest, the outcome says until when', async () => {
    const { clock, settings } = clockwork();
    const chain = createChain([scripted('a', [fails('auth')]), scripted('b', [fails('unknown')])], settings);
    await chain.generate(REQUEST);
    clock.now += 10_000;
    const { outcome, attempts, resting } = await chain.generate(REQUEST);
    expect({ attempts, resting }).toEqual({ attempts: [], resting: ['a', 'b'] });
    expect(outcome).toEqual({
      type: 'failed',
      failure: {
        kind: 'unknown',
        message: 'Every model failed a short while ago; the next one is asked again in 50 s.',
        retryAfterMs: 50_000,
        learnedWindow: null,
      },
    });
  });

  test('also after a restart', async () => {
    const { settings } = clockwork();
    const first = createChain([scripted('a', [fails('auth')])], settings);
    await first.generate(REQUEST);
    const kept: unknown = JSON.parse(JSON.stringify(first.state()));
    const a = scripted('a', [text()]);
    expect((await createChain([a], { ...settings, state: kept }).generate(REQUEST)).outcome.type).toBe('failed');
    const later = createChain([a], settings);
    later.restore(kept);
    expect((await later.generate(REQUEST)).outcome.type).toBe('failed');
    expect(a.asked).toBe(0);
  });

  test('until it is cleared', async () => {
    const { settings } = clockwork();
    const chain = createChain([scripted('a', [fails('auth'), text()])], settings);
    await chain.generate(REQUEST);
    chain.clear();
    expect((await chain.generate(REQUEST)).outcome).toEqual(text());
  });

  test.each([null, 7, 'x', {}, { version: 2, candidates: {} }, { version: 1, candidates: { a: { until: 'x' } } }])(
    'a state that cannot be read is none: %j',
    async (state) => {
      const { settings } = clockwork();
      const chain = createChain([scripted('a', [text()])], { ...settings, state });
      expect((await chain.generate(REQUEST)).outcome).toEqual(text());
    },
  );

  test('an answer to a question from before the failure does not end the rest', async () => {
    const { clock, settings } = clockwork({ retries: 0 });
    const late = Promise.withResolvers<ModelOutcome>();
    const answers = [late.promise, Promise.resolve(fails('network'))];
    const a: Model = { ...scripted('a', []), generate: () => answers.shift() ?? Promise.resolve(text()) };
    const chain = createChain([a], settings);
    const slow = chain.generate(REQUEST);
    clock.now += 1;
    await chain.generate(REQUEST);
    late.resolve(text());
    expect((await slow).outcome).toEqual(text());
    expect(chain.state().candidates['a']?.kind).toBe('network');
  });
});

describe('time', () => {
  test('for everything together ends a candidate that does not', async () => {
    const a: Model = { ...scripted('a', []), generate: () => new Promise(() => {}) };
    const b = scripted('b', [text()]);
    const { outcome, attempts } = await createChain([a, b], { totalMs: 30 }).generate(REQUEST);
    expect(outcome).toMatchObject({ failure: { kind: 'timeout' } });
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['timeout']);
    expect(b.asked).toBe(0);
  });

  test('is not waited away: a wait that ends too late is not begun', async () => {
    const { slept, settings } = clockwork({ totalMs: 5000 });
    const chain = createChain([scripted('a', [fails('rate-limit', 6000)]), scripted('b', [text()])], settings);
    expect((await chain.generate(REQUEST)).model).toBe('b');
    expect(slept).toEqual([]);
  });
});

describe('a cancelled request', () => {
  test('ends the candidate and asks no other', async () => {
    const stop = new AbortController();
    const a: Model = { ...scripted('a', []), generate: () => new Promise(() => {}) };
    const b = scripted('b', [text()]);
    const chain = createChain([a, b]);
    const asked = chain.generate({ ...REQUEST, signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    expect((await asked).outcome).toMatchObject({ failure: { kind: 'aborted' } });
    expect(b.asked).toBe(0);
    expect(chain.state().candidates).toEqual({});
  });

  test('ends a wait', async () => {
    const stop = new AbortController();
    const a = scripted('a', [fails('rate-limit', 50_000)]);
    const asked = createChain([a]).generate({ ...REQUEST, signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    expect((await asked).outcome).toMatchObject({ failure: { kind: 'aborted' } });
    expect(a.asked).toBe(1);
  });

  test('asks nobody when it was cancelled before', async () => {
    const a = scripted('a', [text()]);
    const { outcome } = await createChain([a]).generate({ ...REQUEST, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ failure: { kind: 'aborted' } });
    expect(a.asked).toBe(0);
  });
});

describe('a chain as a model', () => {
  test('has the smallest window, and tells of its attempts', async () => {
    const seen: string[] = [];
    const a = { ...scripted('a', [fails('auth')]), contextWindow: 9000, maxOutput: 500 };
    const b = { ...scripted('b', [text()]), contextWindow: 4000 };
    const model = modelChain([a, b], { onAttempt: (attempt) => seen.push(`${attempt.model} ${attempt.outcome}`) });
    expect(model).toMatchObject({ id: 'a,b', contextWindow: 4000, maxOutput: 500 });
    expect(await model.generate(REQUEST)).toEqual(text());
    expect(seen).toEqual(['a auth', 'b stop']);
    expect(Object.keys(model.chain.state().candidates)).toEqual(['a']);
  });

  test('needs a model', () => {
    expect(() => createChain([])).toThrow('Expected `models` to name at least one model, got none');
  });
});
