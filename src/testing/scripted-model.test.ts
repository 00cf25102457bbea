import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Model, ModelOutcome } from '../core/model.ts';
import * as behave from './model-server/behaviours.ts';
import { scriptedModel } from './scripted-model.ts';

const REQUEST = { instructions: 'Summarise.', prompt: '#1 user: Fix it.' };

afterEach(() => vi.useRealTimers());

async function ask(model: Model, signal?: AbortSignal): Promise<ModelOutcome> {
  return model.generate({ ...REQUEST, ...(signal === undefined ? {} : { signal }) });
}

describe('scriptedModel', () => {
  it('keeps what it was asked and tells what it is', async () => {
    const model = scriptedModel(behave.answer('Done.'), { id: 'test/one', contextWindow: 1000, maxOutput: 50 });
    expect(model).toMatchObject({ id: 'test/one', contextWindow: 1000, maxOutput: 50, prices: null });
    expect(await ask(model)).toEqual({
      type: 'text',
      text: 'Done.',
      finish: 'stop',
      usage: { inputTokens: 7, outputTokens: 2, cachedInputTokens: 0 },
    });
    expect(model.requests).toEqual([REQUEST]);
  });

  it('plays a list, then another script', async () => {
    const model = scriptedModel([behave.status(503), behave.answer('two')]);
    const first = await ask(model);
    expect(first).toMatchObject({ type: 'failed', failure: { kind: 'overloaded' } });
    expect(await ask(model)).toMatchObject({ text: 'two' });
    model.script(behave.empty);
    expect(await ask(model)).toMatchObject({ text: '', finish: 'stop' });
  });

  it('is slow in fake time', async () => {
    vi.useFakeTimers();
    const progress: number[] = [];
    const model = scriptedModel(behave.slow({ firstByteMs: 60_000, perChunkMs: 1000, text: 'x'.repeat(30) }));
    const answer = model.generate({ ...REQUEST, onText: (characters) => progress.push(characters) });
    await vi.advanceTimersByTimeAsync(60_500);
    expect(progress).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(progress).toEqual([12]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await answer).toMatchObject({ text: 'x'.repeat(30) });
    expect(progress).toEqual([12, 24, 30]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stalls without a timer until it is aborted', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const answer = ask(scriptedModel(behave.stall()), controller.signal);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(vi.getTimerCount()).toBe(0);
    controller.abort();
    expect(await answer).toMatchObject({ failure: { kind: 'aborted' } });
  });

  it('leaves no timer behind when it is aborted while slow', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const answer = ask(scriptedModel(behave.slow({ firstByteMs: 60_000 })), controller.signal);
    controller.abort();
    expect(await answer).toMatchObject({ failure: { kind: 'aborted' } });
    expect(vi.getTimerCount()).toBe(0);
  });
});
