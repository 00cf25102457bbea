import { expect, test } from 'vitest';
import type { Model, ModelOutcome } from '../../core/model.ts';
import { noticingCutPrompts } from './cut-prompts.ts';

async function ask(characters: number, inputTokens: number | null): Promise<ModelOutcome> {
  const usage = { inputTokens, outputTokens: 5, cachedInputTokens: null };
  const outcome: ModelOutcome = { type: 'text', text: 'A summary.', finish: 'stop', usage };
  const model: Model = { id: 'm', contextWindow: 1, maxOutput: null, prices: null, generate: async () => outcome };
  return noticingCutPrompts(model).generate({ instructions: '', prompt: 'x'.repeat(characters) });
}

test('an answer to a prompt that was cut is an overflow, and tells the real window', async () => {
  expect(await ask(40_000, 2050)).toEqual({
    type: 'failed',
    failure: {
      kind: 'overflow',
      message: 'The server read only 2,050 tokens of the request; its context length is too small.',
      retryAfterMs: null,
      learnedWindow: 2050,
    },
  });
});

test.each([
  ['was read', 40_000, 10_000],
  ['is short', 7_000, 10],
  ['nobody counted', 40_000, null],
  ['was counted as nothing', 40_000, 0],
])('an answer to a prompt that %s is one', async (_why, characters, tokens) => {
  expect((await ask(characters, tokens)).type).toBe('text');
});
