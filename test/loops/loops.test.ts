/** A sample of `npm run bench loops`: agents that never end because their context is full. */
import { describe, expect, it } from 'vitest';
import { runLoop } from '../../bench/loops/loop.ts';
import { faultsOf } from '../../bench/loops/loop-result.ts';
import { allSpecs, type LoopSpec } from '../../bench/loops/loop-spec.ts';

/** Loops by name, and whether they go through today. Switch one on as soon as it does. */
const SAMPLE: readonly (readonly [name: string, is: 'on' | 'off'])[] = [
  ['tool-output/openai-chat/8K/usage', 'on'],
  ['call-arguments/gemini/8K/no-usage', 'on'],
  ['parallel-calls/openai-responses/8K/no-usage', 'on'],
  ['user-pastes/anthropic/8K/no-usage', 'on'],
  ['one-request/openai-responses/8K/usage', 'on'],
  ['short-request/gemini/8K/no-usage', 'on'],
  ['overflow-unnamed/ai-sdk/8K/usage', 'on'],
  ['images-in-results/gemini/8K/usage', 'on'],
  ['reserved-output/anthropic/8K/usage', 'on'],
  ['thought-signatures/gemini/8K/no-usage', 'on'],
  ['images-in-user/openai-chat/8K/usage', 'on'],
  ['files/anthropic/8K/usage', 'on'],
  ['large-tools/openai-chat/8K/usage', 'off'],
  ['same-reminders/ai-sdk/8K/usage', 'off'],
  ['hosted-tools/openai-responses/8K/usage', 'off'],
  ['encrypted-reasoning/openai-responses/8K/usage', 'on'],
  ['open-thinking/anthropic/16K/usage', 'off'],
  ['pinned/openai-chat/8K/usage', 'off'],
  ['impossible/openai-chat/8K/usage', 'off'],
];

const specs: ReadonlyMap<string, LoopSpec> = new Map(allSpecs().map((spec) => [spec.name, spec]));

describe('an agent loop', () => {
  for (const [name, is] of SAMPLE)
    it.runIf(is === 'on')(`goes through 60 turns: ${name}`, async () => {
      const result = await runLoop(specs.get(name) as LoopSpec, 1);
      expect(faultsOf(result), result.notes.join('\n')).toEqual([]);
      // A loop that never had to compact would prove nothing.
      expect(result.compactions + (result.giveUp === null ? 0 : 1)).toBeGreaterThan(0);
    });

  it('is known by every name of the sample', () => {
    expect(SAMPLE.map(([name]) => name).filter((name) => !specs.has(name))).toEqual([]);
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
