import { describe, expect, it } from 'vitest';
import { SYSTEM, turn, turns } from '../../../test/agent-wire.ts';
import { openContext } from '../open.ts';
import { type ContextOptions, LEAN } from '../options.ts';

const RULES = 'Keep each row of the ledger as it is. ';

/** A context that counts what it does and what it tells the host. */
async function watched(options: Omit<ContextOptions, 'id'>) {
  const context = await openContext({ id: 'a', trim: false, ...options });
  const told: { readonly reason: string; readonly isHeld: boolean }[] = [];
  const seen = { context, told, starts: 0 };
  context.on('compaction:start', () => {
    seen.starts++;
  });
  context.on('compaction:refused', ({ reason, receipt }) => told.push({ reason, isHeld: receipt === null }));
  return seen;
}

describe('a compaction that could free too little', () => {
  it('does not start at every turn when pins are above the threshold, and the host hears of it once', async () => {
    const seen = await watched({ window: 20_000 });
    const { context, told } = seen;
    await context.append([
      SYSTEM,
      { role: 'user', content: RULES.repeat(1_650) },
      { role: 'assistant', content: 'Yes.' },
    ]);
    await context.pin(2);
    for (let at = 1; at <= 8; at++) {
      await context.append(turn(at, 10));
      const { outcome, pressure } = await context.prepare();
      expect(pressure).toBeGreaterThan(1);
      expect(outcome).toBe('unchanged');
    }
    expect(seen.starts).toBe(0);
    expect(told).toEqual([{ reason: expect.stringContaining('must stay'), isHeld: true }]);
  });

  it('leaves room to grow when the window forces it, so that it does not follow itself', async () => {
    const seen = await watched({ window: 20_000 });
    const { context } = seen;
    await context.append([
      SYSTEM,
      { role: 'user', content: RULES.repeat(1_650) },
      { role: 'assistant', content: 'Yes.' },
    ]);
    await context.pin(2);
    for (let at = 1; at <= 60; at++) {
      await context.append(turn(at, 10));
      const { fits, request } = await context.prepare();
      expect(fits).toBe(true);
      expect(JSON.stringify(request)).toContain(RULES.repeat(1_650));
    }
    // 60 turns of about 150 tokens, in a room of 2,500.
    expect(seen.starts).toBeLessThanOrEqual(7);
    expect(context.metrics().compactions).toBeGreaterThan(0);
  });

  it('is tried soon after a refusal, when there is more to cut', async () => {
    const { context } = await watched({ window: 60_000 });
    await context.append([SYSTEM, { role: 'user', content: `Read this. ${RULES.repeat(5_000)}` }]);
    await context.pin(2);
    await context.prepare();
    await context.unpin(2);
    let turnsUntil = 0;
    for (let at = 1; at <= 12 && context.metrics().compactions === 0; at++) {
      await context.append(turn(at));
      await context.prepare();
      turnsUntil = at;
    }
    expect(context.metrics().compactions).toBe(1);
    expect(turnsUntil).toBeLessThanOrEqual(4);
  });

  it('still happens above the window when the system prompt is above a threshold that the host set', async () => {
    for (const policy of [LEAN.policy, { thresholdCap: 6_000 }]) {
      const seen = await watched({ window: 20_000, policy });
      const { context } = seen;
      await context.append({ role: 'system', content: RULES.repeat(1_200) });
      for (let at = 1; at <= 60; at++) {
        await context.append(turn(at, 20));
        expect((await context.prepare()).fits).toBe(true);
      }
      expect(seen.starts).toBeLessThanOrEqual(8);
    }
  });
});

describe('a refused compaction', () => {
  it('is tried again at every request above the window, and told with its receipt', async () => {
    const { context, told } = await watched({ window: 8_000 });
    await context.append([{ role: 'system', content: RULES.repeat(860) }, ...turns(1, 1)]);
    for (const heard of [1, 2]) {
      const { outcome, fits, reason } = await context.prepare();
      expect({ outcome, fits }).toEqual({ outcome: 'refused', fits: false });
      expect(reason).toContain('what must stay needs');
      expect(told.map(({ isHeld }) => isHeld)).toEqual(Array.from({ length: heard }, () => false));
    }
  });
});

describe('pinned messages', () => {
  it('give way when nothing else fits the window, and the receipt says so', async () => {
    const { context } = await watched({ window: 8_000 });
    await context.append([SYSTEM, ...turns(1, 2), { role: 'user', content: `Rules. ${RULES.repeat(1_650)}` }]);
    await context.append([
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Go on.' },
    ]);
    await context.pin(10);
    const { outcome, fits, receipt } = await context.prepare();
    expect({ outcome, fits }).toEqual({ outcome: 'folded', fits: true });
    expect(receipt?.notes.join()).toContain('pinned message was shortened');
  });

  it('stay whole while the rest can go', async () => {
    const { context } = await watched({ window: 8_000 });
    const pinned = `Rules. ${RULES.repeat(200)}`;
    await context.append([SYSTEM, ...turns(1, 2), { role: 'user', content: pinned }, ...turns(3, 16)]);
    await context.pin(10);
    const { fits, request, receipt } = await context.prepare();
    expect(fits).toBe(true);
    expect(JSON.stringify(request)).toContain(pinned);
    expect(receipt?.notes).toEqual([]);
  });
});
