import { describe, expect, test } from 'vitest';
import { plainRules, reading } from '../../../test/replay/support.ts';
import { openaiChat } from '../../formats/index.ts';
import type { ReplayResult } from '../simulate/result.ts';
import { simulate } from '../simulate/simulate.ts';
import type { ReplayItem } from '../view/item.ts';
import { headLength, tailStart } from '../view/places.ts';
import { isAccepted, runwayLimits } from './baseline/prune-runway.ts';
import { policies, policyById } from './policies.ts';

function run(id: string, window: number, trace = reading(40, 4_000)): Promise<ReplayResult> {
  return simulate(trace, { policy: policyById(id), rules: plainRules, window, soundness: openaiChat });
}

describe("the design note's runway", () => {
  test('at 128,000: threshold 64,000, runway 9,600, target 54,400; 62,000 is rejected and 48,000 accepted', () => {
    const limits = runwayLimits(128_000);
    expect(limits).toMatchObject({ threshold: 64_000, runway: 9_600, target: 54_400, pruneMinimum: 6_400 });
    expect(isAccepted(62_000, limits)).toBe(false);
    expect(isAccepted(48_000, limits)).toBe(true);
  });

  test.each([
    [500_000, 100_000],
    [128_000, 40_000],
    [64_000, 20_000],
    [63_999, 10_000],
  ])('in a context of %d the newest %d tokens of output are protected', (context, tokens) => {
    expect(runwayLimits(context).protectedTokens).toBe(tokens);
  });
});

describe('views', () => {
  const item = (role: ReplayItem['role'], tokens: number): ReplayItem => ({
    index: tokens,
    id: `${role} ${tokens}`,
    tokens,
    role,
    isOutput: role === 'tool',
    message: null,
  });
  const view = [item('system', 1), item('user', 2), item('assistant', 3), item('tool', 4), item('assistant', 5)];

  test('have a head: the prompt, or all up to the task', () => {
    expect(headLength(view, 'system')).toBe(1);
    expect(headLength(view, 'task')).toBe(2);
  });

  test('have a tail that never starts with a result, and always holds the last step', () => {
    expect(tailStart(view, 2, 5)).toBe(4);
    expect(tailStart(view, 2, 11)).toBe(4);
    expect(tailStart(view, 2, 12)).toBe(2);
    expect(tailStart(view, 2, 1)).toBe(4);
    expect(tailStart(view, 2, 0)).toBe(5);
  });
});

test('ids, titles and notes are there and differ', () => {
  expect(new Set(policies.map(({ id }) => id)).size).toBe(policies.length);
  for (const { title, note } of policies) expect(title.length * note.length).toBeGreaterThan(0);
  expect(() => policyById('nothing')).toThrow('Expected the id of a policy, got `nothing`; known are none, truncation');
});

describe('over a session of 162,000 tokens', () => {
  test('nothing happens in a window that holds it', async () => {
    for (const id of ['none', 'truncation', 'summary-85', 'pi', 'codex', 'trim'])
      expect((await run(id, 1_000_000)).events, id).toEqual([]);
  });

  test('a sliding mask changes bytes at nearly every request, and costs more than it saves', async () => {
    const masked = await run('sliding-mask', 200_000);
    const none = await run('none', 200_000);
    // 41 requests; the eleventh output is the first to be masked, before request 11.
    expect(masked.events.length).toBe(30);
    expect(masked.peakTokens).toBeLessThan(none.peakTokens / 2);
    expect(masked.total.write).toBeGreaterThan(none.total.write * 5);
  });

  test('a summary comes at 85 % of the window, and an aligned one costs less for the same cuts', async () => {
    const plain = await run('summary-85', 100_000);
    const aligned = await run('summary-85-aligned', 100_000);
    // Request k holds 100 + 4,050 k: the first above 85,000 is request 21.
    expect(plain.events[0]).toMatchObject({ request: 21, op: 'summary', firstChangedIndex: 1, stableTokens: 100 });
    expect(aligned.events.map(({ request }) => request)).toEqual(plain.events.map(({ request }) => request));
    expect(aligned.sizes).toEqual(plain.sizes);
    expect(aligned.usd).toBeLessThan(plain.usd);
    // Task, 4,000 of summary, and two steps of the newest 10,000.
    expect(plain.sizes[21]).toBe(100 + 4_000 + 2 * 4_050);
  });

  test('clearing tool uses keeps three, from 100,000 tokens on', async () => {
    const cleared = await run('anthropic-clear', 200_000);
    // 100 + 4,050 k is above 100,000 from request 25 on.
    expect(cleared.events[0]).toMatchObject({ request: 25, op: 'prune', firstChangedIndex: 2 });
    expect(cleared.sizes[25]).toBeLessThan(100 + 25 * 100 + 3 * 4_000);
    expect(cleared.facts.kept).not.toBeNull();
  });

  test('pruning with runway never stops just below the threshold, the naive one does', async () => {
    const { target, threshold } = runwayLimits(128_000);
    const runway = await run('prune-runway', 128_000);
    const naive = await run('prune-first', 128_000);
    const pruned = (result: ReplayResult) => result.events.filter(({ op }) => op === 'prune');
    for (const { request } of pruned(runway)) expect(runway.sizes[request]).toBeLessThanOrEqual(target);
    for (const { request } of pruned(naive)) expect(naive.sizes[request]).toBeLessThanOrEqual(threshold);
    expect(naive.events.length).toBeGreaterThanOrEqual(runway.events.length);
  });

  test('the engine makes a smaller view whose words are known, without a call', async () => {
    const ours = await run('precis', 100_000);
    expect(ours.events.length).toBeGreaterThan(0);
    expect(ours.auxiliary.calls).toBe(0);
    expect(ours.facts.kept).not.toBeNull();
    expect(ours.events.every(({ isForced }) => !isForced)).toBe(true);
  });

  test('trimming at insertion changes nothing that was sent', async () => {
    const large = reading(10, 12_000);
    const trimmed = await run('trim', 200_000, large);
    expect(trimmed.events).toEqual([]);
    expect(trimmed.peakTokens).toBeLessThan((await run('none', 200_000, large)).peakTokens);
  });

  test('deciding by cost is cheaper than waiting for 85 % of a large window', async () => {
    const long = reading(200, 4_000);
    const waiting = await run('summary-85-aligned', 1_000_000, long);
    for (const id of ['cost-optimal', 'rent']) {
      const done = await run(id, 1_000_000, long);
      expect(done.usd, id).toBeLessThan(waiting.usd * 0.6);
      expect(done.events.length, id).toBeGreaterThan(3);
    }
  });
});
