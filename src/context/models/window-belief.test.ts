import { describe, expect, it } from 'vitest';
import {
  afterAcceptance,
  afterRefusal,
  isAbout,
  type Refusal,
  readBeliefs,
  type WindowBelief,
} from './window-belief.ts';

const STATED = { model: 128_000, window: null };

const refused = (earlier: WindowBelief | null, refusal: Partial<Refusal>): WindowBelief =>
  afterRefusal(earlier, { named: null, size: 50_000, stated: STATED, accepted: null, ...refusal });
const counted = (belief: WindowBelief, size: number): WindowBelief =>
  afterAcceptance(belief, { size, countedBy: 'provider' });
const estimated = (belief: WindowBelief, size: number): WindowBelief =>
  afterAcceptance(belief, { size, countedBy: 'us' });

describe('the belief after an overflow that names a window', () => {
  it('is that window', () => {
    expect(refused(null, { named: 32_768 })).toEqual({
      window: 32_768,
      isNamed: true,
      accepted: null,
      refused: 50_000,
      stated: STATED,
    });
  });

  it('is that window even below a size that was accepted, which proves nothing any more', () => {
    const belief = refused(null, { named: 16_000, accepted: 40_000 });
    expect(belief).toMatchObject({ window: 16_000, accepted: null });
  });

  it('is that window even above an earlier guess, but not above what the host stated', () => {
    const guess = refused(null, { size: 20_000 });
    expect(refused(guess, { named: 32_000 })).toMatchObject({ window: 32_000, isNamed: true });
    expect(refused(guess, { named: 200_000 })).toMatchObject({ window: 128_000, isNamed: true });
    const stated = { model: 128_000, window: 300_000 };
    expect(refused(null, { named: 200_000, stated }).window).toBe(200_000);
  });

  it('is not a misread tiny number', () => {
    expect(refused(null, { named: 5 }).window).toBe(1_000);
    expect(refused(null, { named: 5, stated: { model: 500, window: null } }).window).toBe(500);
  });
});

describe('the belief after an overflow that names none', () => {
  it('is nine tenths of the size refused', () => {
    expect(refused(null, {})).toMatchObject({ window: 45_000, isNamed: false, refused: 50_000 });
  });

  it('is not below a size that was accepted', () => {
    expect(refused(null, { accepted: 48_000 }).window).toBe(48_000);
    const belief = counted(refused(null, { size: 60_000 }), 49_000);
    expect(refused(belief, { size: 50_000 }).window).toBe(49_000);
  });

  it('falls below a size that was accepted once a smaller one is refused', () => {
    const belief = counted(refused(null, { size: 60_000 }), 49_000);
    expect(refused(belief, { size: 30_000 })).toMatchObject({ window: 27_000, accepted: null, refused: 30_000 });
  });

  it('keeps a session usable, however often it happens', () => {
    let belief = refused(null, { size: 4_500 });
    for (const size of [1_200, 800, 118]) belief = refused(belief, { size });
    expect(belief.window).toBe(4_096);
    expect(refused(null, { size: 900, stated: { model: 2_000, window: null } }).window).toBe(2_000);
  });

  it('never rises, and keeps a named window that it does not lower', () => {
    const belief = refused(null, { named: 16_000 });
    expect(refused(belief, { size: 50_000 })).toMatchObject({ window: 16_000, isNamed: true });
    expect(refused(belief, { size: 10_000 })).toMatchObject({ window: 9_000, isNamed: false });
  });
});

describe('the belief after an answer', () => {
  const guess = refused(null, { size: 50_000 });
  const named = refused(null, { named: 16_000 });

  it('remembers the largest size that was accepted', () => {
    expect(counted(estimated(guess, 20_000), 12_000)).toMatchObject({ window: 45_000, accepted: 20_000 });
    expect(counted(guess, 20_000).refused).toBe(50_000);
  });

  it('rises to a larger size that was accepted, and forgets that a smaller one was refused', () => {
    expect(estimated(guess, 47_000)).toMatchObject({ window: 47_000, refused: 50_000 });
    expect(counted(guess, 52_000)).toMatchObject({ window: 52_000, accepted: 52_000, refused: null });
  });

  it('rises above a window that the provider named only by the count of the provider', () => {
    expect(estimated(named, 18_000)).toBe(named);
    expect(counted(named, 18_000)).toMatchObject({ window: 18_000, isNamed: false });
    expect(counted(named, 15_000)).toMatchObject({ window: 16_000, isNamed: true, accepted: 15_000 });
  });
});

describe('a belief', () => {
  it('ends when the host states another window', () => {
    const belief = refused(null, {});
    expect(isAbout(belief, STATED)).toBe(true);
    expect(isAbout(belief, { ...STATED, model: 64_000 })).toBe(false);
    expect(isAbout(belief, { ...STATED, window: 128_000 })).toBe(false);
  });

  it('is read back as it was stored, also from the numbers of earlier versions', () => {
    const belief = refused(null, {});
    const stored = JSON.parse(
      JSON.stringify({ one: belief, two: 9_000, three: null, four: 'x', five: {}, six: { window: 7_000, stated: 1 } }),
    );
    expect(readBeliefs(stored)).toEqual({
      one: belief,
      two: { window: 9_000, isNamed: true, accepted: null, refused: null, stated: null },
      six: { window: 7_000, isNamed: false, accepted: null, refused: null, stated: null },
    });
    expect(readBeliefs(undefined)).toEqual({});
    expect(isAbout(readBeliefs({ a: 9_000 })['a'] as WindowBelief, STATED)).toBe(true);
  });
});
