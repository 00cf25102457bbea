/** Time grows with the text and no faster, whatever the text; and clean text stays as it is. */
import { describe, expect, test } from 'vitest';
import { createScrubber } from '../../src/scrub/scrub-text.ts';
import { stripThinking } from '../../src/scrub/session/strip-thinking.ts';
import { cpuMsOf } from '../work/cpu-time.ts';
import { ADVERSARIES } from './adversaries.ts';
import { cleanTexts } from './clean.ts';
import { made } from './planted.ts';

function timeOf(text: string): Promise<number> {
  return cpuMsOf(() => {
    const scrubber = createScrubber();
    scrubber.learn(text);
    scrubber.scrub(text);
    stripThinking(text);
  });
}

/** A quadratic rule takes 16 times as long for four times the text; the rest is room for a busy machine. */
const MOST_GROWTH = 9;
/** Below this, a growth says nothing. */
const LEAST_MS = 25;

/** The growth, measured again when it seems too large: a busy machine is no slow rule. */
async function growthOf(text: string, fourfold: string = text.repeat(4)): Promise<number> {
  await timeOf(text.slice(0, 10_000));
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && least >= MOST_GROWTH; attempt++)
    least = Math.min(least, (await timeOf(fourfold)) / Math.max(await timeOf(text), LEAST_MS / 4));
  return least;
}

describe('on text made to be slow', () => {
  test.each(ADVERSARIES)('%s', { timeout: 60_000 }, async (_what, piece) => {
    expect(await growthOf(piece.repeat(Math.ceil(100_000 / piece.length)))).toBeLessThan(MOST_GROWTH);
  });

  test('all of it at once', { timeout: 60_000 }, async () => {
    expect(await growthOf(ADVERSARIES.map(([, piece]) => piece.repeat(60)).join(''))).toBeLessThan(MOST_GROWTH);
  });

  test('many different secrets and names', { timeout: 60_000 }, async () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, n) => `TOKEN=${made(24, n)}3 /home/q${made(7, n, 'bcdfgk')}/x\n`).join('');
    expect(await growthOf(lines(1000), lines(4000))).toBeLessThan(MOST_GROWTH);
  });
});

test('fewer than one false replacement in 100 KB of sources and documentation', { timeout: 60_000 }, () => {
  const texts = cleanTexts(5_000_000);
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  expect(size).toBeGreaterThan(4_500_000);
  const scrubber = createScrubber();
  for (const text of texts) scrubber.learn(text);
  for (const text of texts) scrubber.scrub(text);
  const count = scrubber.counts().reduce((sum, row) => sum + row.count, 0);
  expect((count / size) * 100_000, JSON.stringify(scrubber.counts())).toBeLessThan(1);
});
