import { describe, expect, it } from 'vitest';
import { SYSTEM, turn, type Wire } from '../../test/agent-wire.ts';
import type { Account } from '../core/tokens/account.ts';
import { openContext } from './open.ts';

/** Definitions of tools: about 80 tokens each. */
const toolsOf = (count: number): readonly Wire[] =>
  Array.from({ length: count }, (_, at) => ({
    type: 'function',
    function: {
      name: `ledger_${at}`,
      description: `Reads the ledger of account ${at} and returns the rows that match the filter.`,
      parameters: { type: 'object', properties: { filter: { type: 'string', description: 'Rows to return.' } } },
    },
  }));

const request = (tools: number, messages: readonly Wire[], more: Wire = {}): Wire => ({
  model: 'm',
  ...more,
  tools: toolsOf(tools),
  messages,
});

/** The head of a PNG file of this size: enough to read its pixels. */
function picture(width: number, height: number): Wire {
  const bytes = Buffer.alloc(33);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]).copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` } };
}

const shown = (at: number): readonly Wire[] => [
  { role: 'user', content: [{ type: 'text', text: `Picture ${at}: ${'word '.repeat(300)}` }, picture(1200, 1200)] },
  { role: 'assistant', content: `Seen ${at}.` },
];

const sumOf = ({ total: _total, output: _output, ...lines }: Account): number =>
  Object.values(lines).reduce((sum, tokens) => sum + tokens, 0);

describe('the size of a request in a context', () => {
  it('includes the tools from the first call, however they come in', async () => {
    await using appended = await openContext({ id: 'a', window: 20_000 });
    await appended.append(request(50, [SYSTEM, ...turn(1)]));
    await using applied = await openContext({ id: 'b', window: 20_000 });
    const prepared = await applied.apply(request(50, [SYSTEM, ...turn(1)]));
    const { tokens, account } = await appended.prepare();
    expect(account.tools).toBeGreaterThan(2_000);
    expect(tokens).toBe(account.tools + account.messages + account.system);
    expect(prepared.account).toEqual(account);
    expect(appended.metrics().view).toMatchObject({ tokens, account });
  });

  it('follows the tools of a later request', async () => {
    await using context = await openContext({ id: 'a', window: 20_000 });
    const few = await context.apply(request(10, [SYSTEM, ...turn(1)]));
    const many = await context.apply(request(60, [SYSTEM, ...turn(1)]));
    expect(many.account.tools).toBeGreaterThan(4 * few.account.tools);
    expect(many.tokens - few.tokens).toBe(many.account.tools - few.account.tools);
  });

  it('reserves the answer that the request allows', async () => {
    await using context = await openContext({ id: 'a', window: 20_000 });
    const { account } = await context.apply(request(0, [SYSTEM, ...turn(1)], { max_tokens: 6_000 }));
    expect(account.output).toBe(6_000);
    expect(context.metrics().view.threshold).toBe(10_500);
  });

  it('survives a host that reports the sum of all requests so far', async () => {
    await using context = await openContext({ id: 'a', window: 12_000 });
    await context.append(request(2, [SYSTEM]));
    let sum = 0;
    for (let at = 1; at <= 60; at++) {
      await context.append(turn(at));
      const { tokens, fits } = await context.prepare();
      expect(fits).toBe(true);
      sum += tokens;
      await context.observe({ prompt_tokens: sum, completion_tokens: 9 });
    }
    expect((await context.prepare()).account.provider).toBe(0);
  });

  it('has lines that sum to it before and after reports of the provider, which teach it the overhead', async () => {
    await using context = await openContext({ id: 'a', window: 20_000 });
    await context.append(request(20, [SYSTEM]));
    for (let at = 1; at <= 4; at++) {
      await context.append(turn(at));
      const { tokens, account } = await context.prepare();
      expect(account.total).toBe(tokens);
      expect(sumOf(account)).toBe(tokens);
      if (at === 1) await context.observe({ prompt_tokens: tokens + 700, completion_tokens: 9 });
    }
    expect((await context.prepare()).account.provider).toBe(700);
  });

  it('takes the fixed tokens that the host states as tools and overhead', async () => {
    await using context = await openContext({ id: 'a', window: 20_000, fixedTokens: 5_000 });
    const { account, tokens } = await context.apply(request(20, [SYSTEM, ...turn(1)]));
    expect(account.tools).toBeGreaterThan(1_000);
    expect(account.tools + account.provider).toBe(5_000);
    expect(sumOf(account)).toBe(tokens);
  });

  it('has lines that sum to it when the provider counts pictures for less than their formula', async () => {
    await using context = await openContext({ id: 'a', window: 40_000 });
    const pictures = Array.from({ length: 10 }, () => picture(1200, 1200));
    await context.append([SYSTEM, { role: 'user', content: [{ type: 'text', text: 'Look.' }, ...pictures] }]);
    const { tokens } = await context.prepare();
    await context.observe({ prompt_tokens: Math.ceil(tokens * 0.6), completion_tokens: 9 });
    const { account } = await context.prepare();
    expect(account.total).toBe(Math.ceil(tokens * 0.6));
    expect(sumOf(account)).toBe(account.total);
  });

  it('is stated by events, line by line', async () => {
    await using context = await openContext({ id: 'a', window: 8_000 });
    const accounts: { readonly tokens: number; readonly account: Account }[] = [];
    context.on('pressure', (event) => accounts.push(event));
    context.on('compaction:start', (event) => accounts.push(event));
    await context.append(request(20, [SYSTEM]));
    for (let at = 1; at <= 12; at++) {
      await context.append(turn(at));
      await context.prepare();
    }
    expect(context.metrics().compactions).toBeGreaterThan(0);
    expect(accounts.length).toBeGreaterThan(2);
    for (const { tokens, account } of accounts) {
      expect(sumOf(account)).toBe(tokens);
      expect(account.tools).toBeGreaterThan(1_000);
    }
  });
});

describe('compactions of a context', () => {
  it('still fit the window after a report that leaves no room for any message', async () => {
    await using context = await openContext({ id: 'a', window: 8_000 });
    await context.append([SYSTEM, ...turn(1), ...turn(2), ...turn(3)]);
    await context.prepare();
    await context.observe({ prompt_tokens: 12_000, completion_tokens: 9 });
    await context.append(turn(4));
    const { outcome, fits, tokens } = await context.prepare();
    expect({ outcome, fits }).toEqual({ outcome: 'folded', fits: true });
    await context.observe({ prompt_tokens: tokens - 6_000, completion_tokens: 9 });
    expect((await context.prepare()).account.provider).toBeLessThan(1_000);
  });

  it('see the size that made them due when pictures fill the view', async () => {
    await using context = await openContext({ id: 'a', window: 20_000, fixedTokens: 0 });
    await context.append([SYSTEM, ...[1, 2, 3, 4].flatMap(shown)]);
    const first = await context.prepare();
    await context.observe({ prompt_tokens: Math.ceil(first.tokens * 1.5), completion_tokens: 9 });
    for (let at = 5; at <= 9; at++) {
      await context.append(shown(at));
      expect((await context.prepare()).pressure).toBeLessThanOrEqual(1);
    }
    expect(context.metrics().compactions).toBe(1);
  });

  it('happen above the window, also when hardly any words could make up for what the provider counts', async () => {
    await using context = await openContext({ id: 'a', window: 20_000, fixedTokens: 0 });
    const pictures = Array.from({ length: 8 }, () => picture(1200, 1200));
    await context.append([SYSTEM, { role: 'user', content: pictures }, { role: 'assistant', content: 'Seen.' }]);
    await context.append([{ role: 'user', content: 'Go on.' }]);
    const { tokens } = await context.prepare();
    expect(tokens).toBeLessThan(15_000);
    await context.observe({ prompt_tokens: 20_500, completion_tokens: 9 });
    const { outcome, fits } = await context.prepare();
    expect({ outcome, fits }).toMatchObject({ outcome: expect.stringMatching(/condensed|folded/), fits: true });
  });

  it('come as often as the growth demands when tools take most of the window', async () => {
    await using context = await openContext({ id: 'a', window: 16_000 });
    await context.append(request(140, [SYSTEM]));
    let least = Number.POSITIVE_INFINITY;
    for (let at = 1; at <= 40; at++) {
      await context.append(turn(at, 10));
      const { fits, account } = await context.prepare();
      expect(fits).toBe(true);
      expect(account.tools).toBeGreaterThan(9_000);
      if (at > 12) least = Math.min(least, account.messages);
    }
    expect(context.metrics().compactions).toBeLessThanOrEqual(4);
    expect(context.metrics().compactions).toBeGreaterThan(0);
    expect(least).toBeGreaterThan(700);
  });
});
