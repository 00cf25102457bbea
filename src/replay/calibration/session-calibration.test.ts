import { expect, test } from 'vitest';
import { handMade, plainRules, text } from '../../../test/replay/support.ts';
import type { RecordedUsage, Trace } from '../trace/trace.ts';
import { calibrationOf } from './session-calibration.ts';

const said = handMade([
  [text('user', 'a'), 1_000],
  [text('assistant', 'b'), 100],
  [text('user', 'c'), 900],
  [text('assistant', 'd'), 100],
  [text('user', 'e'), 900],
  [text('assistant', 'f'), 100],
]);

function recorded(...usages: readonly (RecordedUsage | null)[]): Trace {
  return { ...said, requests: said.requests.map((request, at) => ({ ...request, recorded: usages[at] ?? null })) };
}

const usage = (inputTokens: number, cachedInputTokens: number): RecordedUsage => ({
  inputTokens,
  cachedInputTokens,
  cacheWriteTokens: inputTokens - cachedInputTokens,
  outputTokens: 100,
});

test('a log that says what the rules say is off by nothing', () => {
  const trace = recorded(usage(1_000, 0), usage(2_000, 1_000), usage(3_000, 2_000));
  expect(calibrationOf(trace, () => plainRules)).toEqual({ rules: 'plain', requests: 2, read: 0, cost: 0 });
});

test('reads that the log does not have are the error', () => {
  // Predicted 1,000 and 2,000; recorded 1,000 and 1,000.
  const trace = recorded(usage(1_000, 0), usage(2_000, 1_000), usage(3_000, 1_000));
  expect(calibrationOf(trace, () => plainRules)?.read).toBe(0.5);
});

test('without recorded reads there is nothing to compare with', () => {
  expect(calibrationOf(said, () => plainRules)).toBeNull();
  expect(calibrationOf(recorded(usage(1_000, 0), usage(2_000, 0)), () => plainRules)).toBeNull();
});
