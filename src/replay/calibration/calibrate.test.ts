import { describe, expect, test } from 'vitest';
import { createCache } from '../cache/cache.ts';
import { rulesById } from '../cache/rules/by-id.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import { seededRandom } from '../cache/seeded-random.ts';
import type { RecordedUsage } from '../trace/trace.ts';
import { calibrateRules } from './calibrate.ts';
import { moneyClaimOf } from './money-claim.ts';
import { type CalibrationSession, longestLiveGapMs } from './session.ts';
import { sessionCostErrorOf, type UsagePair, usageErrorOf } from './usage-error.ts';

const usage = (inputTokens: number, cachedInputTokens: number, cacheWriteTokens = 0): RecordedUsage => ({
  inputTokens,
  cachedInputTokens,
  cacheWriteTokens,
  outputTokens: 0,
});

/** Growing sessions with gaps, recorded by a provider that follows other rules than one thinks. */
function sessionsUnder(
  truth: CacheRules,
  count: number,
  options: { readonly noise?: number } = {},
): readonly CalibrationSession[] {
  return Array.from({ length: count }, (_, number) => {
    const random = seededRandom(number + 1);
    const cache = createCache(truth, { random: seededRandom(number + 100) });
    let at = 0;
    const blocks = [{ id: 'system', tokens: 6_000 }];
    const requests = Array.from({ length: 80 }, (_, index) => {
      at += random() < 0.2 ? 60_000 * 40 * random() : 20_000;
      blocks.push({ id: `${number}-${index}`, tokens: 200 + Math.floor(random() * 3_000) });
      const sent = [...blocks];
      const { read, write, uncached } = cache.request(sent, { at, outputTokens: 0 });
      const wrong = 1 + (options.noise ?? 0) * (random() - 0.5);
      const recorded = usage(
        Math.round((read + write + uncached) * wrong),
        Math.round(read * wrong),
        Math.round(write * wrong),
      );
      return { blocks: sent, at, outputTokens: 0, recorded };
    });
    return { name: `session ${number}`, requests };
  });
}

describe('the error of a prediction', () => {
  test('is the sum of the differences over the sum of what was recorded', () => {
    const rules = rulesById('anthropic-5m');
    const error = usageErrorOf(rules, [
      { predicted: { read: 900, write: 100, uncached: 0 }, recorded: usage(1_000, 800, 200) },
      { predicted: { read: 1_000, write: 0, uncached: 0 }, recorded: usage(1_200, 1_200, 0) },
    ]);
    // |900 − 800| + |1,000 − 1,200| over 2,000; 1,900 − 2,000 over 2,000.
    expect(error.read).toEqual({ wape: 0.15, bias: -0.05 });
    expect(error.write).toEqual({ wape: 0.5, bias: -0.5 });
    expect(error.uncached).toEqual({ wape: 0, bias: 0 });
    // 90 + 125 = 215 against 80 + 250 = 330, and 100 against 120: 135 over 450.
    expect(error.cost.wape).toBeCloseTo(0.3, 9);
    expect(error.reportsWrites).toBe(true);
  });

  test('is not known where something was predicted and nothing recorded', () => {
    const error = usageErrorOf(rulesById('openai-5'), [
      { predicted: { read: 100, write: 0, uncached: 0 }, recorded: usage(100, 0) },
    ]);
    expect(error.read).toEqual({ wape: null, bias: null });
  });

  test('does not count writes that a log leaves out', () => {
    const error = usageErrorOf(rulesById('openai-5.6'), [
      { predicted: { read: 1_000, write: 500, uncached: 0 }, recorded: usage(1_500, 1_000, 0) },
    ]);
    expect(error).toMatchObject({ reportsWrites: false, write: { wape: 0 }, uncached: { wape: 0 }, cost: { wape: 0 } });
  });

  test('takes writes as uncached where they are free', () => {
    const error = usageErrorOf(rulesById('openai-5'), [
      { predicted: { read: 1_000, write: 0, uncached: 500 }, recorded: usage(1_500, 1_000, 500) },
    ]);
    expect(error.uncached).toEqual({ wape: 0, bias: 0 });
  });
});

describe('calibration', () => {
  test('finds nothing to do when the rules are right', () => {
    const rules = rulesById('anthropic-5m');
    const { fit, heldOut, given, claim, sessions } = calibrateRules(sessionsUnder(rules, 6), rules);
    expect(fit).toEqual({ hitProbability: 1, ttlMs: 300_000, granularity: 1 });
    expect([heldOut.read.wape, given.cost.wape]).toEqual([0, 0]);
    expect(sessions.map(({ isHeldOut }) => isHeldOut)).toEqual([false, true, false, true, false, true]);
    expect(claim).toMatchObject({ mayClaim: true, error: 0 });
    expect(claim.sentence).toBe('Predicted and recorded cache usage differ by 0.0 % over 3 sessions.');
  });

  test('finds the lifetime and the steps', () => {
    const truth = { ...rulesById('openai-5'), ttlMs: 600_000, granularity: 1_024 };
    const { fit, rules, given, heldOut } = calibrateRules(sessionsUnder(truth, 8), rulesById('openai-5'));
    expect(fit).toEqual({ hitProbability: 1, ttlMs: 600_000, granularity: 1_024 });
    expect(rules.ttlMs).toBe(600_000);
    expect(given.read.wape).toBeGreaterThan(0.02);
    expect(heldOut.read.wape).toBe(0);
  });

  test('finds how often hits come, and says what is left', () => {
    const truth = { ...rulesById('gemini-3'), hitProbability: 0.7 };
    const { fit, heldOut, claim } = calibrateRules(sessionsUnder(truth, 40), rulesById('gemini-3'));
    expect(fit?.hitProbability).toBeGreaterThan(0.66);
    expect(fit?.hitProbability).toBeLessThan(0.74);
    // In sum right, request by request not: chance cannot be predicted.
    expect(Math.abs(heldOut.read.bias ?? 1)).toBeLessThan(0.04);
    expect(claim.mayClaim).toBe(false);
    expect(claim.sentence).toMatch(
      /^Predicted and recorded cache usage differ by \d\d\.\d % over 20 sessions, more than 10\.0 %: tokens/,
    );
  });

  test('reports on sessions that the fit has not seen', () => {
    const rules = rulesById('openai-5');
    const good = sessionsUnder(rules, 4);
    const other = sessionsUnder({ ...rules, hitProbability: 0 }, 4);
    // Those that are held out never hit.
    const mixed = good.map((session, index) => (index % 2 === 1 ? (other[index] ?? session) : session));
    const { claim, sessions } = calibrateRules(mixed, rules);
    expect(claim.mayClaim).toBe(false);
    expect(claim.sentence).toMatch(/^Cache reads are predicted where the log has none over 2 sessions/);
    expect(sessions[0]?.fitted.read.wape).toBe(0);
    expect(sessions[1]?.fitted.read.wape).toBeNull();
  });

  test('fits nothing on one session', () => {
    const rules = rulesById('anthropic-5m');
    const { fit, claim } = calibrateRules(sessionsUnder(rules, 1, { noise: 0.1 }), rules);
    expect(fit).toBeNull();
    expect(claim.mayClaim).toBe(true);
    expect(claim.error).toBeGreaterThan(0.01);
    expect(claim.sentence).toMatch(/over 1 session\.$/);
  });

  test('says when there is nothing to compare with', () => {
    const [session] = sessionsUnder(rulesById('anthropic-5m'), 1);
    const silent = {
      name: 'silent',
      requests: (session?.requests ?? []).map((request) => ({ ...request, recorded: null })),
    };
    const { claim, sessions } = calibrateRules([silent], rulesById('anthropic-5m'));
    expect(sessions).toEqual([]);
    expect(claim).toMatchObject({ mayClaim: false, error: null });
  });

  test('draws the line at ten in a hundred, for tokens read and for the price of sessions', () => {
    const at = (read: number, cost: number): boolean =>
      moneyClaimOf({
        requests: 9,
        sessions: 1,
        read: { wape: read, bias: 0 },
        sessionCost: { wape: cost, bias: 0 },
      }).mayClaim;
    expect([at(0.1, 0.1), at(0.101, 0), at(0, 0.101)]).toEqual([true, false, false]);
  });

  test('does not hold the first request against the rules: another session may have filled the cache', () => {
    const rules = rulesById('anthropic-5m');
    const [session] = sessionsUnder(rules, 1);
    const requests = (session?.requests ?? []).map((request, index) =>
      index === 0 ? { ...request, recorded: usage(request.recorded?.inputTokens ?? 0, 6_000) } : request,
    );
    expect(calibrateRules([{ name: 'warm', requests }], rules).claim.error).toBe(0);
  });

  test('sees from a log how long entries live', () => {
    const [short] = sessionsUnder(rulesById('anthropic-5m'), 1);
    const [long] = sessionsUnder(rulesById('anthropic-1h'), 1);
    expect(longestLiveGapMs(short!)).toBeLessThanOrEqual(300_000);
    expect(longestLiveGapMs(long!)).toBeGreaterThan(300_000);
    expect(longestLiveGapMs({ name: 'empty', requests: [] })).toBe(0);
  });

  test('lets errors cancel out within a session, not between sessions', () => {
    const rules = { ...rulesById('none'), read: 0 };
    const pair = (predicted: number, recorded: number): UsagePair => ({
      predicted: { read: 0, write: 0, uncached: predicted },
      recorded: usage(recorded, 0),
    });
    expect(sessionCostErrorOf(rules, [[pair(90, 100), pair(110, 100)]]).wape).toBeCloseTo(0, 12);
    expect(sessionCostErrorOf(rules, [[pair(90, 100)], [pair(110, 100)]]).wape).toBeCloseTo(0.1, 12);
  });
});
