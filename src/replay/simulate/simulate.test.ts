import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { call, handMade, once, plainRules, reading, result, text } from '../../../test/replay/support.ts';
import { openaiChat } from '../../formats/index.ts';
import { none } from '../policies/baseline/none.ts';
import { policies, policyById } from '../policies/policies.ts';
import type { Policy } from '../policies/policy.ts';
import type { Trace } from '../trace/trace.ts';
import { itemsOf, type ReplayItem } from '../view/item.ts';
import { simulate } from './simulate.ts';

const window = 100_000;

/** Three requests of 1,000, 3,000 and 5,000 tokens beside 500 fixed ones; answers of 100. */
function small(times: readonly number[] = []): Trace {
  return handMade(
    [
      [text('user', 'a'), 1_000],
      [text('assistant', 'b'), 100],
      [text('user', 'c'), 1_900],
      [text('assistant', 'd'), 100],
      [text('user', 'e'), 1_900],
      [text('assistant', 'f'), 100],
    ],
    { fixedTokens: 500, times },
  );
}

const summary: ReplayItem = { index: null, id: 's', tokens: 200, role: 'user', isOutput: false, message: null };

describe('no compaction', () => {
  test('writes each message once and reads it from then on', async () => {
    const done = await simulate(small(), { policy: none, rules: plainRules, window });
    // Requests of 1,500, 3,500 and 5,500: written 5,500 in all, read 1,500 + 3,500.
    expect(done.total).toMatchObject({ write: 5_500, read: 5_000, uncached: 0, output: 300 });
    expect(done.usd).toBeCloseTo(5_500 * 1.25 + 5_000 * 0.1 + 300 * 5);
    expect(done.sizes).toEqual([1_500, 3_500, 5_500]);
    expect(done.spent[0]).toBeCloseTo(1_500 * 1.25 + 500);
    expect(done).toMatchObject({ events: [], peakTokens: 5_500, meanTokens: 3_500, failedAt: null });
    expect(done.hitRatio).toBeCloseTo(5_000 / 10_500);
  });

  test('writes all again after the cache has expired', async () => {
    const done = await simulate(small([0, 60_000, 400_000]), { policy: none, rules: plainRules, window });
    expect(done.total).toMatchObject({ write: 1_500 + 2_000 + 5_500, read: 1_500 });
  });

  test('is forced at the window: the oldest steps go, task and newest stay', async () => {
    const done = await simulate(small(), { policy: none, rules: plainRules, window: 5_000 });
    // 5,500 do not fit 5,000; half of the window less 500 fixed leaves 2,000: the task and the newest message.
    expect(done.sizes).toEqual([1_500, 3_500, 500 + 1_000 + 1_900]);
    expect(done.events).toMatchObject([
      { request: 2, op: 'truncate', isForced: true, firstChangedIndex: 1, stableTokens: 1_500, rewrittenTokens: 0 },
    ]);
    expect(done.events[0]).toMatchObject({ tokensBefore: 3_500, tokensAfter: 1_400 });
  });

  test('fails where even the newest step does not fit', async () => {
    const done = await simulate(small(), { policy: none, rules: plainRules, window: 2_000 });
    expect(done.failedAt).toBe(1);
  });
});

describe('an event', () => {
  const trace = small();
  const [a, , , , e] = itemsOf(trace) as [ReplayItem, ReplayItem, ReplayItem, ReplayItem, ReplayItem];

  test('is billed: an aligned call reads the cache, the rest behind the change is written', async () => {
    const calls = [{ inputTokens: 5_600, outputTokens: 200, isAligned: true }];
    const policy = once(2, { op: 'summary', view: [a, summary, e], calls, reason: 'test' });
    const done = await simulate(trace, { policy, rules: plainRules, window });
    // The call: 3,500 were sent before, 2,000 are new and 100 ask. The request: 1,500 stay, 200 + 1,900 are written.
    expect(done.auxiliary).toMatchObject({ calls: 1, bill: { read: 3_500, write: 0, uncached: 2_100, output: 200 } });
    expect(done.total).toMatchObject({
      read: 1_500 + 1_500 + 3_500,
      write: 1_500 + 2_000 + 2_100,
      uncached: 2_100,
      output: 300 + 200,
    });
    const [event] = done.events;
    // Before the new messages: 3,500 to 500 + 1,000 + 200 − 100 of the answer that went with the rest.
    expect(event).toMatchObject({ tokensBefore: 3_500, tokensAfter: 1_600, firstChangedIndex: 1, stableTokens: 1_500 });
    expect(event?.usd).toBeCloseTo(350 + 2_100 + 1_000 + 1.15 * 100);
    expect(done.facts.kept).toBeNull();
  });

  test('with a call of its own pays the full price for it', async () => {
    const calls = [{ inputTokens: 4_000, outputTokens: 200, isAligned: false }];
    const policy = once(2, { op: 'summary', view: [a, summary, e], calls, reason: 'test' });
    const done = await simulate(trace, { policy, rules: plainRules, window });
    expect(done.auxiliary.bill).toMatchObject({ read: 0, write: 0, uncached: 4_000, output: 200 });
  });

  test('is none when only new messages are changed', async () => {
    const policy = once(2, {
      op: 'trim',
      view: [...itemsOf(trace).slice(0, 4), { ...e, id: 'short', tokens: 9 }],
      calls: [],
      reason: '',
    });
    const done = await simulate(trace, { policy, rules: plainRules, window });
    expect(done.events).toEqual([]);
    expect(done.sizes[2]).toBe(500 + 1_000 + 100 + 1_900 + 100 + 9);
  });

  test('is none when a cut was tried and rejected, which is counted', async () => {
    const done = await simulate(trace, { policy: once(1, { rejected: 'no use' }), rules: plainRules, window });
    expect(done.events).toEqual([]);
    expect(done.rejected).toEqual([{ reason: 'no use', count: 1 }]);
  });
});

test('counts what is read again after it was dropped, but not what still stands', async () => {
  const trace = handMade([
    [text('user', 'look'), 10],
    [call('1', 'read_file', { path: 'a.ts' }), 10],
    [result('1', 'content of a'), 400],
    [call('2', 'read_file', { path: 'a.ts' }), 10],
    [result('2', 'content of a'), 400],
    [text('assistant', 'seen'), 10],
  ]);
  expect((await simulate(trace, { policy: none, rules: plainRules, window })).rereads.count).toBe(0);
  const [user, , , second] = itemsOf(trace) as [ReplayItem, ReplayItem, ReplayItem, ReplayItem];
  const drop: Policy = once(1, { op: 'truncate', view: [user], calls: [], reason: '' });
  const done = await simulate(trace, { policy: drop, rules: plainRules, window });
  expect(second.index).toBe(3);
  // Nothing follows the last request, so it is written once: 400 tokens at 1.25.
  expect(done.rereads).toEqual({ count: 1, tokens: 400, usd: 500 });
});

test('facts that stand in the last view are kept, those that were dropped are not', async () => {
  const trace = handMade([
    [text('user', 'Always use tabs in Makefile. Never touch src/vendor.'), 20],
    [text('assistant', 'I decided to use port 4711 for the server.'), 20],
    [text('user', 'Go on.'), 5],
    [text('assistant', 'Done.'), 5],
  ]);
  const all = await simulate(trace, { policy: none, rules: plainRules, window });
  expect(all.facts.all).toBeGreaterThan(0);
  expect(all.facts.kept).toBe(all.facts.all);
  const last = itemsOf(trace)[2] as ReplayItem;
  const dropped = await simulate(trace, {
    policy: once(1, { op: 'truncate', view: [last], calls: [], reason: '' }),
    rules: plainRules,
    window,
  });
  expect(dropped.facts.critical.kept).toBe(0);
});

describe('every policy', () => {
  const session = reading(30, 4_000);

  test.each(policies.map(({ id }) => id))('%s knows the past alone', async (id) => {
    const cut = 20;
    const { messages } = session.conversation;
    const from = session.requests[cut]?.to ?? 0;
    const altered: Trace = {
      ...session,
      conversation: {
        ...session.conversation,
        messages: messages.map((message, at) => (at < from ? message : text(message.role, `otherwise ${at}`))),
      },
      tokens: session.tokens.map((tokens, at) => (at < from ? tokens : tokens * 3 + 1)),
      requests: session.requests.map((request, at) => (at <= cut ? request : { ...request, at: request.at * 9 })),
    };
    const options = { window: 60_000, soundness: openaiChat };
    const one = await simulate(session, { ...options, policy: policyById(id), rules: plainRules });
    const other = await simulate(altered, { ...options, policy: policyById(id), rules: plainRules });
    const early = (events: typeof one.events) =>
      events.filter(({ request }) => request <= cut).map(({ paidBack: _, ...event }) => event);
    expect(early(other.events)).toEqual(early(one.events));
    expect(other.sizes.slice(0, cut + 1)).toEqual(one.sizes.slice(0, cut + 1));
  });

  test.each(policies.map(({ id }) => id))('%s bears a prompt that leaves next to nothing of the window', async (id) => {
    for (const fixedTokens of [50_000, 59_990, 70_000]) {
      const full = { ...reading(4, 4_000), fixedTokens };
      const done = await simulate(full, {
        policy: policyById(id),
        rules: plainRules,
        window: 60_000,
        soundness: openaiChat,
      });
      expect(done.failedAt === null).toBe(fixedTokens === 50_000);
    }
  });

  test.each(policies.map(({ id }) => id))('%s stays within the window, and every token is billed once', async (id) => {
    const done = await simulate(session, {
      policy: policyById(id),
      rules: plainRules,
      window: 60_000,
      soundness: openaiChat,
    });
    const { total, auxiliary, sizes } = done;
    const prompt = total.read + total.write + total.uncached;
    const calls = auxiliary.bill.read + auxiliary.bill.write + auxiliary.bill.uncached;
    expect(prompt - calls).toBeCloseTo(sizes.reduce((sum, size) => sum + size, 0));
    expect(done.peakTokens).toBeLessThanOrEqual(60_000);
    expect(done.failedAt).toBeNull();
    expect(done.spent.at(-1)).toBeCloseTo(done.usd);
  });
});

test('as long as no sent byte changes there is no event, and each token is written once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 2, maxLength: 30 }), async (sizes) => {
      const trace = handMade(
        sizes.map((size, at) => [text(at % 2 === 0 ? 'user' : 'assistant', `message ${at}`), size] as const),
      );
      const same: Policy = {
        ...none,
        start: () => ({
          before: ({ view }) => ({ op: 'prune', view: view.map((item) => ({ ...item })), calls: [], reason: 'copies' }),
        }),
      };
      const done = await simulate(trace, { policy: same, rules: plainRules, window });
      expect(done.events).toEqual([]);
      expect(done.total.write).toBe(done.sizes.at(-1) ?? 0);
      expect(done.total.read).toBe(done.sizes.slice(0, -1).reduce((sum, size) => sum + size, 0));
    }),
    { numRuns: 50 },
  );
});
