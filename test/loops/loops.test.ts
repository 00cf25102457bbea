/** A sample of `npm run bench loops`: agents that never stop because their context is full. */
import { describe, expect, it } from 'vitest';
import { runLoop } from '../../bench/loops/loop.ts';
import { faultsOf } from '../../bench/loops/loop-result.ts';
import { allSpecs, type LoopSpec } from '../../bench/loops/loop-spec.ts';

/** Small loops, one for each way to fill a window. */
const SAMPLE: readonly string[] = [
  'tool-output/openai-chat/8K/usage',
  'call-arguments/gemini/8K/no-usage',
  'parallel-calls/openai-responses/8K/no-usage',
  'user-pastes/anthropic/8K/no-usage',
  'one-request/openai-responses/8K/usage',
  'short-request/gemini/8K/no-usage',
  'overflow-unnamed/ai-sdk/8K/usage',
  'images-in-results/gemini/8K/usage',
  'reserved-output/anthropic/8K/usage',
  'thought-signatures/gemini/8K/no-usage',
  'images-in-user/openai-chat/8K/usage',
  'files/anthropic/8K/usage',
  'large-tools/openai-chat/8K/usage',
  'same-reminders/ai-sdk/8K/usage',
  'hosted-tools/openai-responses/8K/usage',
  'encrypted-reasoning/openai-responses/8K/usage',
  'open-thinking/anthropic/16K/usage',
  'pinned/openai-chat/8K/usage',
  'impossible/openai-chat/8K/usage',
];

const specs: ReadonlyMap<string, LoopSpec> = new Map(allSpecs().map((spec) => [spec.name, spec]));

describe('an agent loop', () => {
  for (const name of SAMPLE)
    it(`goes through 60 turns, or says truly why not: ${name}`, async () => {
      const result = await runLoop(specs.get(name) as LoopSpec, 1);
      expect(faultsOf(result), result.notes.join('\n')).toEqual([]);
      // A loop that never had to compact would prove nothing.
      expect(result.compactions + (result.giveUp === null ? 0 : 1)).toBeGreaterThan(0);
    });

  it('is known by every name of the sample', () => {
    expect(SAMPLE.filter((name) => !specs.has(name))).toEqual([]);
  });
});

describe('the grid', () => {
  const all = allSpecs();

  it('has at least 120 loops, each with its own name', () => {
    expect(all.length).toBeGreaterThanOrEqual(120);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('plays every filler in every format in two windows, with usage and without', () => {
    for (const [pair, loops] of Map.groupBy(all, ({ filler, format }) => `${filler} ${format}`)) {
      expect(new Set(loops.map(({ window }) => window)).size, pair).toBeGreaterThanOrEqual(2);
      const kinds = new Set(loops.map(({ reportsUsage }) => reportsUsage)).size;
      expect(kinds, pair).toBe(pair.startsWith('no-usage') ? 1 : 2);
    }
  });
});
