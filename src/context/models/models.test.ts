import { describe, expect, it } from 'vitest';
import { SYSTEM, turn, turns } from '../../../test/agent-wire.ts';
import type { Context } from '../context.ts';
import { openContext } from '../open.ts';
import { memoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';

const MODEL = { id: 'm', contextWindow: 100_000, maxOutput: 4_000 };
const TOO_LONG = new Error('Your input exceeds the context window of this model.');
const named = (window: number): Error => new Error(`This model's maximum context length is ${window} tokens.`);
const thresholdOf = (context: Context): number => context.metrics().view.threshold;

describe('an overflow that names no window', () => {
  it('never takes a session below a usable size', async () => {
    await using context = await openContext({ id: 'a', window: 4_500 });
    await context.append([SYSTEM, ...turns(1, 6)]);
    await context.prepare();
    for (let again = 0; again < 6; again++) {
      await context.fallback(TOO_LONG);
      expect(thresholdOf(context)).toBeGreaterThan(3_000);
    }
    await context.append(turns(7, 8));
    const { request, tokens } = await context.prepare();
    expect(tokens).toBeGreaterThan(800);
    expect(JSON.stringify(request)).toContain('Question 8');
  });

  it('does not take back a size that the provider has counted', async () => {
    await using context = await openContext({ id: 'a', models: [MODEL] });
    await context.append([SYSTEM, ...turns(1, 60)]);
    const { tokens } = await context.prepare();
    await context.observe({ prompt_tokens: tokens, completion_tokens: 10 });
    await context.append(turn(61, 5));
    await context.fallback(TOO_LONG);
    const { window } = (await context.compact()).receipt?.tokens ?? { window: 0 };
    expect(window).toBeGreaterThanOrEqual(tokens - MODEL.maxOutput);
  });
});

describe('a learned window', () => {
  it('rises again by what the provider counts, not by what we estimate', async () => {
    await using context = await openContext({ id: 'a', models: [MODEL] });
    await context.append([SYSTEM, ...turns(1, 12)]);
    const { tokens } = await context.prepare();
    await context.fallback(named(2_000));
    const small = thresholdOf(context);
    await context.undo();
    await context.append({ role: 'user', content: 'Go on.' });
    await context.prepare();
    await context.append({ role: 'assistant', content: 'Done.' });
    expect(thresholdOf(context)).toBe(small);
    await context.observe({ prompt_tokens: tokens, completion_tokens: 10 });
    expect(thresholdOf(context)).toBeGreaterThan(small);
  });

  it('gives way to a window that the host states', async () => {
    const store = memoryStore();
    const taught = async (): Promise<Context> => {
      const context = await openContext({ id: 'a', store, models: [MODEL] });
      await context.append([SYSTEM, ...turns(1, 3)]);
      await context.fallback(named(16_000));
      return context;
    };
    const context = await taught();
    const learned = thresholdOf(context);
    expect(learned).toBeLessThan(16_000);
    await context.useModel('m');
    expect(thresholdOf(context)).toBe(learned);
    await context.useModel({ ...MODEL, contextWindow: 64_000 });
    expect(thresholdOf(context)).toBeGreaterThan(40_000);
    await context.close();
  });

  it('is kept when the context is opened again, unless the host states another window', async () => {
    const store = memoryStore();
    const opened = (options: object): Promise<Context> => openContext({ id: 'a', store, models: [MODEL], ...options });
    const first = await opened({});
    await first.append([SYSTEM, ...turns(1, 3)]);
    await first.fallback(named(16_000));
    const learned = thresholdOf(first);
    await first.close();
    for (const [options, isKept] of [
      [{}, true],
      [{ models: [{ ...MODEL, contextWindow: 50_000 }] }, false],
      [{ window: 50_000 }, false],
    ] as const) {
      await using again = await opened(options);
      expect(thresholdOf(again) === learned).toBe(isKept);
    }
  });

  it('is read from the state of an earlier version', async () => {
    await using context = await openContext({ id: 'a', models: [MODEL], store: withState({ learned: { m: 16_000 } }) });
    expect(thresholdOf(context)).toBeLessThan(16_000);
  });

  it('leaves room for an answer when it is smaller than the output that the host reserves', async () => {
    await using context = await openContext({ id: 'a', models: [MODEL], policy: { reservedOutput: 20_000 } });
    await context.append([SYSTEM, ...turns(1, 3)]);
    await context.fallback(named(16_000));
    expect((await context.prepare()).fits).toBe(true);
  });
});

describe('an answer', () => {
  it('ends a row of overflows, also when its provider reports no usage', async () => {
    await using context = await openContext({ id: 'a', window: 20_000 });
    await context.append([SYSTEM, ...turns(1, 20)]);
    for (let n = 2; n < 8; n++) {
      // The window is as large as the context knew; the answer that was asked for did not fit.
      expect((await context.fallback(named(20_000))).action).toBe('retry');
      await context.append(turns(n * 10 + 1, n * 10 + 10));
    }
  });

  it('does the same in a list that the host sends whole, and in decoded messages', async () => {
    const said = [SYSTEM, ...turns(1, 20)];
    await using whole = await openContext({ id: 'a', window: 20_000 });
    await whole.apply(said);
    await using decoded = await openContext({ id: 'b', window: 20_000 });
    await decoded.append(said);
    for (let n = 2; n < 8; n++) {
      expect((await whole.fallback(named(20_000))).action).toBe('retry');
      said.push(...turns(n * 10 + 1, n * 10 + 10));
      await whole.apply(said);
      expect((await decoded.fallback(named(20_000))).action).toBe('retry');
      await using reader = await openContext({ id: 'c', window: 20_000 });
      await reader.append(said);
      await decoded.absorb(reader.conversation());
    }
  });

  it('is none when only the user and tools speak', async () => {
    await using context = await openContext({ id: 'a', window: 20_000 });
    await context.append([SYSTEM, ...turns(1, 20)]);
    const actions: string[] = [];
    for (let n = 1; n <= 4; n++) {
      actions.push((await context.fallback(TOO_LONG)).action);
      await context.append({ role: 'user', content: 'word '.repeat(6_000) });
    }
    expect(actions).toEqual(['retry', 'retry', 'retry', 'give-up']);
  });

  it('shows that the view was accepted which a fallback returned, not the one that was refused', async () => {
    await using context = await openContext({ id: 'a', models: [MODEL] });
    await context.append([SYSTEM, ...turns(1, 60)]);
    await context.prepare();
    await context.fallback(TOO_LONG);
    const learned = thresholdOf(context);
    await context.append({ role: 'assistant', content: 'Done.' });
    expect(thresholdOf(context)).toBe(learned);
  });
});

describe('a fallback that cannot help', () => {
  it('says how often the provider refused, what window it seems to have, and what fills the request', async () => {
    await using context = await openContext({ id: 'a', window: 20_000 });
    await context.append([SYSTEM, ...turns(1, 20)]);
    let reason = '';
    for (let n = 1; n <= 4; n++) {
      ({ reason } = await context.fallback(TOO_LONG));
      await context.append({ role: 'user', content: 'word '.repeat(6_000) });
    }
    expect(reason).toMatch(/^the provider refused 4 requests in a row as too long, and each was compacted/);
    expect(reason).toMatch(/its window seems to hold [\d,]+ tokens, judging by the sizes that it refused;/);
    expect(reason).toMatch(/the request of [\d,]+ tokens holds messages [\d,]+/);
  });

  it('says what fills the request', async () => {
    await using context = await openContext({ id: 'a', models: [MODEL] });
    await context.append([
      { role: 'system', content: 'rule '.repeat(9_000) },
      { role: 'user', content: 'Go on.' },
    ]);
    await context.prepare();
    const { action, reason } = await context.fallback(named(6_000));
    expect(action).toBe('give-up');
    expect(reason).toMatch(/it cannot be compacted: .*; the request of [\d,]+ tokens holds system prompt [\d,]+/);
  });
});

/** A store whose contexts begin with this state. */
function withState(state: object): Store {
  const store = memoryStore();
  return {
    ...store,
    open: async (id, access) => {
      const stored = await store.open(id, access);
      return {
        ...stored,
        load: async () => ({ ...(await stored.load()), state: JSON.stringify({ version: 1, ...state }) }),
      };
    },
  };
}
