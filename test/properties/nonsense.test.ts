/** A summariser that the host wrote may return anything. That costs a compaction nothing but time. */
import { describe, expect, it, vi } from 'vitest';
import type { AlignedModel } from '../../src/core/model.ts';
import { compact, openaiChat, openContext, type Summarizer, singleSummarizer } from '../../src/index.ts';
import { createChain } from '../../src/models/index.ts';
import { behave, scriptedModel } from '../../src/testing/index.ts';
import { SYSTEM, turns } from '../agent-wire.ts';

const TARGET = 1_500;
const { conversation } = openaiChat.decode([SYSTEM, ...turns(1, 20)]);
const never = (): Promise<never> => new Promise(() => {});

/** What `generate` does, and the kind of failure that the receipt names. */
const NONSENSE: readonly (readonly [what: string, generate: () => unknown, kind: string])[] = [
  ['returns undefined', async () => undefined, 'malformed'],
  ['returns null', async () => null, 'malformed'],
  ['returns a string', async () => '## Goal\n- Something', 'malformed'],
  ['returns a list', async () => [], 'malformed'],
  ['returns a text without a type', async () => ({ text: null }), 'malformed'],
  ['returns a text that is null', async () => ({ type: 'text', text: null, finish: 'stop', usage: null }), 'malformed'],
  [
    'returns a text that is a number',
    async () => ({ type: 'text', text: 42, finish: 'stop', usage: 'x' }),
    'malformed',
  ],
  ['returns a failure without a reason', async () => ({ type: 'failed' }), 'malformed'],
  ['returns a failure of no kind', async () => ({ type: 'failed', failure: {} }), 'unknown'],
  ['returns at once, without a promise', () => undefined, 'malformed'],
  [
    'throws at once',
    () => {
      throw new Error('broken');
    },
    'unknown',
  ],
  [
    'throws what is no error',
    () => {
      throw 'broken';
    },
    'unknown',
  ],
  ['rejects', () => Promise.reject(new Error('broken')), 'unknown'],
  ['rejects with nothing', () => Promise.reject(), 'unknown'],
  ['never settles', never, 'timeout'],
];

const modelOf = (generate: () => unknown) =>
  ({ id: 'own/model', contextWindow: 100_000, maxOutput: null, prices: null, generate }) as never;
const alignedOf = (generate: () => unknown) =>
  ({ id: 'own/aligned', contextWindow: 100_000, prices: { cachedInput: 0.1, output: 1 }, generate }) as AlignedModel;

describe.each(NONSENSE)('a model that %s', (_what, generate, kind) => {
  const summaryTimeoutMs = kind === 'timeout' ? 30 : 60_000;
  const options = { target: TARGET, window: 50_000, summaryTimeoutMs };

  it('costs a compaction only its summary', async () => {
    const offline = await compact(conversation, openaiChat, options);
    for (const writer of [{ summarizer: singleSummarizer(modelOf(generate)) }, { aligned: alignedOf(generate) }]) {
      const {
        outcome,
        receipt,
        conversation: after,
      } = await compact(conversation, openaiChat, { ...options, ...writer });
      expect({ outcome, writer: receipt.writer.kind }).toEqual({ outcome: 'fell-back', writer: 'extractive' });
      expect(after.messages).toEqual(offline.conversation.messages);
      expect(receipt.writer.validation['rejected']).toEqual({ [kind]: 1 });
      expect(receipt.writer.validation['failures']).toHaveLength(1);
      expect(receipt.calls).toMatchObject([{ outcome: kind, inputTokens: null, outputTokens: null }]);
    }
  });

  it('costs no more when it is the summariser itself', async () => {
    const summarizer = { models: [{ contextWindow: 100_000 }], generate } as unknown as Summarizer;
    const { outcome, receipt } = await compact(conversation, openaiChat, { ...options, summarizer });
    expect(outcome).toBe('fell-back');
    expect(receipt.writer.model).toBe('unknown');
  });

  it('costs a living context only its summary', async () => {
    for (const writer of [{ summarizer: singleSummarizer(modelOf(generate)) }, { aligned: alignedOf(generate) }]) {
      await using context = await openContext({ id: 'a', window: 8_000, summaryTimeoutMs, ...writer });
      await context.append([SYSTEM, ...turns(1, 20)]);
      const { outcome, fits } = await context.prepare();
      expect({ outcome, fits }).toEqual({ outcome: 'fell-back', fits: true });
    }
  });

  it('leads a chain to the next model', async () => {
    const chain = createChain([modelOf(generate), scriptedModel(behave.good)], {
      retries: 0,
      totalMs: summaryTimeoutMs,
    });
    const { outcome } = await compact(conversation, openaiChat, { ...options, summarizer: chain });
    expect(kind === 'timeout' ? ['fell-back'] : ['folded', 'repaired']).toContain(outcome);
  });
});

describe('a summariser', () => {
  it('is used although its models state no name and no sizes', async () => {
    const model = scriptedModel(behave.good);
    const { generate } = singleSummarizer(model);
    for (const models of [[{}], [null], [{ id: 7, contextWindow: Number.NaN, maxOutput: 'x', prices: 'y' }]]) {
      const summarizer = { models, generate } as unknown as Summarizer;
      const { outcome } = await compact(conversation, openaiChat, { target: TARGET, window: 50_000, summarizer });
      expect(['folded', 'repaired']).toContain(outcome);
    }
  });

  it('is used although it answers at once, without a promise', async () => {
    const model = scriptedModel(behave.good);
    const answers = new Map<string, unknown>();
    const learn = singleSummarizer({
      ...model,
      generate: async (request) => {
        const outcome = await model.generate(request);
        answers.set(request.prompt, outcome);
        return outcome;
      },
    });
    const options = { target: TARGET, window: 50_000 };
    const slow = await compact(conversation, openaiChat, { ...options, summarizer: learn });
    const atOnce = modelOf(((request: { readonly prompt: string }) => answers.get(request.prompt)) as never);
    const fast = await compact(conversation, openaiChat, { ...options, summarizer: singleSummarizer(atOnce) });
    expect(['folded', 'repaired']).toContain(slow.outcome);
    expect(fast.outcome).toBe(slow.outcome);
    expect(fast.conversation.messages).toEqual(slow.conversation.messages);
  });

  it('counts no tokens that are no numbers', async () => {
    const { generate } = singleSummarizer(scriptedModel(behave.good));
    const summarizer: Summarizer = {
      models: [scriptedModel(behave.good)],
      generate: async (request) => ({
        ...(await generate(request)),
        attempts: [{ inputTokens: 'x', ms: -1 }, 7] as never,
      }),
    };
    const { receipt } = await compact(conversation, openaiChat, { target: TARGET, window: 50_000, summarizer });
    const call = { model: 'scripted/model', outcome: 'stop', inputTokens: null, outputTokens: null, ms: 0 };
    expect(receipt.calls).toEqual([call, call]);
  });

  it('without a list of models, or without a way to ask, is refused', async () => {
    for (const summarizer of [null, {}, { generate: never }, { models: [], generate: never }, { models: [{}] }]) {
      const compacting = compact(conversation, openaiChat, { target: TARGET, summarizer } as never);
      await expect(compacting).rejects.toThrow('Expected `summarizer` to be an object with `models`');
    }
  });

  it('that takes too long is told to stop, and leaves no timer behind', async () => {
    vi.useFakeTimers();
    try {
      let stopped: AbortSignal | undefined;
      const generate = (request: { readonly signal?: AbortSignal }) => {
        stopped = request.signal;
        return never();
      };
      const summarizer = singleSummarizer(modelOf(generate as never));
      const compacting = compact(conversation, openaiChat, { target: TARGET, window: 50_000, summarizer });
      await vi.advanceTimersByTimeAsync(899_000);
      expect(stopped?.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(2_000);
      const { outcome, receipt } = await compacting;
      expect({ outcome, stopped: stopped?.aborted }).toEqual({ outcome: 'fell-back', stopped: true });
      expect(receipt.writer.validation['failures']).toEqual(['The model did not answer within 900 s.']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that never settles leaves no timer behind when the host aborts', async () => {
    vi.useFakeTimers();
    try {
      const host = new AbortController();
      const options = { target: TARGET, window: 50_000, signal: host.signal };
      const summarizer = singleSummarizer(modelOf(never));
      const compacting = expect(compact(conversation, openaiChat, { ...options, summarizer })).rejects.toThrow(
        'aborted',
      );
      await vi.advanceTimersByTimeAsync(10);
      host.abort();
      await compacting;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([0, -1, 1.5, '9', Number.NaN])('with a time limit of %s is refused', async (summaryTimeoutMs) => {
    const bad = { summaryTimeoutMs } as never;
    await expect(compact(conversation, openaiChat, bad)).rejects.toThrow('Expected `summaryTimeoutMs` to be');
    await expect(openContext({ id: 'a', ...(bad as object) })).rejects.toThrow('Expected `summaryTimeoutMs` to be');
  });
});
