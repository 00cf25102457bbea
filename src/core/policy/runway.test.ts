import { expect, test } from 'vitest';
import { openaiChat } from '../../formats/index.ts';
import { build } from '../../testing/index.ts';
import { compact } from '../compact.ts';

test('a compaction on its own folds at once when condensing would free less than is worth breaking the cache for', async () => {
  // Nearly all of it is text; the little tool output there is would buy no room.
  let session = build().user('Tell me the story.');
  for (let turn = 0; turn < 40; turn++)
    session = session
      .assistant(Array.from({ length: 60 }, (_, word) => `Word${turn} of sentence ${word} goes on and on.`).join(' '))
      .user(`Go on with part ${turn}.`);
  const conversation = session.decode(openaiChat);
  const { outcome, receipt } = await compact(conversation, openaiChat, { window: 40_000 });
  expect(receipt.tokens.before).toBeGreaterThan(receipt.tokens.threshold);
  expect(outcome).toBe('folded');
  expect(receipt.tokens.after).toBeLessThanOrEqual(receipt.tokens.target);
});
