import { describe, expect, it } from 'vitest';
import { SYSTEM, type Wire } from '../../../test/agent-wire.ts';
import { openContext } from '../open.ts';

/** A step with `count` parallel calls, whose results have `lines` lines each. */
function step(at: number, count: number, lines: number): readonly Wire[] {
  const ids = Array.from({ length: count }, (_, call) => `c${at}_${call}`);
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'gauge', arguments: `{"at":"${id}"}` } })),
    },
    ...ids.map((id) => ({
      role: 'tool',
      tool_call_id: id,
      content: [`gauge ${id} opened`, ...Array.from({ length: lines }, (_, n) => `${n}: level ${at * 31 + n} cm`)].join(
        '\n',
      ),
    })),
  ];
}

describe('results that no model has read', () => {
  it.each([
    { window: 2_000, count: 1, lines: 24 },
    { window: 2_000, count: 1, lines: 120 },
    { window: 8_000, count: 30, lines: 8 },
  ])('stay in the view, whole or trimmed: %j', async ({ window, count, lines }) => {
    await using context = await openContext({ id: 'a', window });
    await context.append([SYSTEM, { role: 'user', content: 'Read all gauges.' }]);
    for (let at = 1; at <= 20; at++) {
      await context.append(step(at, count, lines));
      const { request, fits } = await context.prepare();
      expect(fits).toBe(true);
      expect(JSON.stringify(request)).toContain(`gauge c${at}_${count - 1} opened`);
    }
    expect(context.compactions().length).toBeGreaterThan(1);
  });

  it.each(['user', 'system'])('stay in the view when a %s message follows them', async (role) => {
    await using context = await openContext({ id: 'a', window: 6_000 });
    await context.append([SYSTEM, { role: 'user', content: 'Read all gauges.' }]);
    for (let at = 1; at <= 30; at++) {
      await context.append([...step(at, 1, 40), { role, content: `Mind gauge ${at}.` }]);
      const { request } = await context.prepare();
      expect(JSON.stringify(request)).toContain(`gauge c${at}_0 opened`);
    }
    expect(context.compactions().length).toBeGreaterThan(1);
  });

  it('stay in the view next to pinned results', async () => {
    await using context = await openContext({ id: 'a', window: 8_000 });
    await context.append([SYSTEM, { role: 'user', content: `Read all gauges. ${'Mind the tide. '.repeat(300)}` }]);
    await context.pin(2);
    for (let at = 1; at <= 60; at++) {
      await context.append(step(at, 1, 30));
      if (at === 3) await context.pin(8);
      const { request } = await context.prepare();
      expect(JSON.stringify(request)).toContain(`gauge c${at}_0 opened`);
    }
    expect(context.compactions().length).toBeGreaterThan(1);
  });
});
