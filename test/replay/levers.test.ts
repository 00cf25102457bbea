/** What else than the place of the trigger decides a bill, on the 60 sessions that never were, at Anthropic's prices. */
import { describe, expect, test } from 'vitest';
import type { RentRule } from '../../src/replay/break-even/rent-rule.ts';
import { rulesById } from '../../src/replay/cache/rules/by-id.ts';
import { sweepPenalty } from '../../src/replay/optimum/optimum.ts';
import { fixedOperator } from '../../src/replay/optimum/problem.ts';
import { AFTER, runTrigger, STABLE, SUMMARY, syntheticSession } from './synthetic.ts';

const WINDOW = 1_000_000;
const rules = { ...rulesById('anthropic-5m'), minTokens: 0 };
const sessions = Array.from({ length: 60 }, (_, index) => syntheticSession(index + 1));
const requests = sum(sessions.map((session) => session.length));
const event = { stable: STABLE, after: AFTER, summary: SUMMARY, call: 'aligned' } as const;
/** Three tenths of what is added are trimmed before they are ever sent. */
const trimmed = sessions.map((session) =>
  session.map((request, index) => {
    const start = index === 0 ? STABLE : 0;
    return { ...request, appended: start + Math.round((request.appended - start) * 0.7) };
  }),
);

interface Cost {
  readonly units: number;
  readonly eventsPer100: number;
}

function summaryAt(trigger: number, shape: RentRule['event'], over: typeof sessions = sessions): Cost {
  const runs = over.map((session) =>
    runTrigger(rules, session, shape, ({ carried, appended }) => carried >= trigger || carried + appended > WINDOW),
  );
  return {
    units: sum(runs.map((run) => run.units)),
    eventsPer100: (100 * sum(runs.map((run) => run.events.length))) / requests,
  };
}

describe('against an unaligned summary at 170,000', () => {
  const base = summaryAt(170_000, { ...event, call: 'unaligned' });

  test('its cadence is near two in a hundred requests', () => expect(base.eventsPer100).toBeCloseTo(1.8, 1));

  // Percent saved, events in 100 requests.
  test.each([
    ['an aligned call', summaryAt(170_000, event), 13, 1.8],
    ['an aligned call that leaves 30,000', summaryAt(170_000, { ...event, after: 30_000 }), 21, 1.6],
    ['an aligned call, trimmed at insertion', summaryAt(170_000, event, trimmed), 20, 1.2],
    ['an aligned call at 120,000, trimmed at insertion', summaryAt(120_000, event, trimmed), 31, 2.1],
    ['all of them together', summaryAt(120_000, { ...event, after: 30_000 }, trimmed), 41, 1.7],
  ])('%s', (_name, { units, eventsPer100 }, saved, cadence) => {
    expect(Math.abs(100 * (1 - units / base.units) - saved)).toBeLessThan(1.5);
    expect(eventsPer100).toBeCloseTo(cadence, 0.5);
  });

  test('no trigger at the same cadence could save a quarter, whatever it knew', () => {
    const best = sweepAll([250_000]);
    expect(best[0]?.eventsPer100).toBeCloseTo(base.eventsPer100, 0);
    const saved = 100 * (1 - (best[0]?.units ?? 0) / base.units);
    expect(saved).toBeGreaterThan(18);
    expect(saved).toBeLessThan(25);
  });
});

test('fewer events cost little at first, and a fixed trigger is near the frontier', () => {
  const [best, ...rarer] = sweepAll([0, 100_000, 300_000]);
  const relative = rarer.map(({ units }) => units / (best?.units ?? 0));
  expect(best?.eventsPer100).toBeCloseTo(4.3, 0);
  // 1.04 at 2.7 events, 1.16 at 1.7.
  expect(relative[0]).toBeCloseTo(1.04, 1.5);
  expect(relative[1]).toBeCloseTo(1.16, 1.5);
  for (const [trigger, cost] of [
    [95_000, 1.05],
    [130_000, 1.12],
    [170_000, 1.25],
    [300_000, 1.73],
  ] as const)
    expect(summaryAt(trigger, event).units / (best?.units ?? 0)).toBeCloseTo(cost, 1.5);
});

function sweepAll(penalties: readonly number[]): readonly Cost[] {
  const operators = [fixedOperator({ id: 'summary', ...event })];
  const found = sessions.map((session) =>
    sweepPenalty({ rules, requests: session, operators, window: WINDOW }, penalties),
  );
  return penalties.map((_, index) => ({
    units: sum(found.map((one) => one[index]?.units ?? 0)),
    eventsPer100: (100 * sum(found.map((one) => one[index]?.events.length ?? 0))) / requests,
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
