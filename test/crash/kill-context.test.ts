import { expect, test } from 'vitest';
import { killContexts } from './kill-context.ts';

/** 500 and more are killed by `npm run bench crash`. */
const KILLS = 24;

test('a context whose process is killed is the one before the step or the one after it', {
  timeout: 180_000,
}, async () => {
  const { kills, before, after, refs } = await killContexts(KILLS);
  expect(before + after).toBe(kills);
  expect(before).toBeGreaterThan(0);
  expect(refs).toBeGreaterThan(0);
});
