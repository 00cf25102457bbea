import { describe, expect, it } from 'vitest';
import { anthropic } from '../formats/anthropic/index.ts';
import { openaiChat } from '../formats/openai-chat/index.ts';
import { openaiResponses } from '../formats/openai-responses/index.ts';
import { build } from '../testing/build/build.ts';
import { compact } from './compact.ts';
import { resultTextOf, textOf, toolResultsOf } from './conversation/message.ts';

const output = (seed: number): string =>
  Array.from({ length: 60 }, (_, at) => `row ${seed}-${at}: value ${seed * 31 + at} in orders_${at % 7}`).join('\n');

function session(steps: number) {
  let made = build().system('Be careful.').user('Migrate the orders. Never drop a table.');
  for (let at = 0; at < steps; at++) made = made.call('run_batch', { id: at }).result(output(at));
  return made.assistant('All batches ran.').user(`What is left? ${'Please list it in detail. '.repeat(30)}`);
}

describe('compact', () => {
  it('names a smallest target in a refusal that works when it is used', async () => {
    const conversation = session(20).decode(openaiChat);
    const refused = await compact(conversation, openaiChat, { target: 60 });
    expect(refused).toMatchObject({ outcome: 'refused', refusal: 'target-too-small' });
    expect(refused.conversation).toBe(conversation);
    const target = refused.smallestTarget ?? 0;
    expect(target).toBeGreaterThan(60);
    const done = await compact(conversation, openaiChat, { target });
    expect(done.outcome).toBe('folded');
    expect(done.receipt.tokens.after).toBeLessThanOrEqual(target);
  });

  it('gives parallel results of one message their own lines, never the copy of a neighbour', async () => {
    let made = build('anthropic')
      .user('Go.')
      .call('show', { id: 1 })
      .call('show', { id: 2 })
      .result(output(1))
      .result(output(2));
    for (let at = 3; at < 9; at++) made = made.call('show', { id: at }).result(output(at));
    const conversation = made.call('show', { id: 1 }).result(output(1)).assistant('Done.').decode(anthropic);
    for (const target of [3_000, 4_000, 5_000, 6_000]) {
      const { conversation: after } = await compact(conversation, anthropic, { target, tailTokens: 2_000 });
      const second = after.messages.flatMap(toolResultsOf).find(({ callId }) => callId === 'call_2');
      if (second !== undefined) expect(resultTextOf(second)).not.toContain('same output');
    }
  });

  it('keeps what stands before the first request before it, when the assistant begins', async () => {
    let made = build().assistant('Hello, I looked around.');
    for (let at = 0; at < 8; at++) made = made.call('show', { id: at }).result('done').assistant(output(at));
    const conversation = made.assistant('Ready.').user('Migrate the orders.').decode(openaiChat);
    for (const target of [1_200, 1_600, 2_500]) {
      const { conversation: after, outcome } = await compact(conversation, openaiChat, { target });
      expect(outcome).toBe('folded');
      const places = after.messages.map((message) => conversation.messages.indexOf(message)).filter((at) => at >= 0);
      expect(places).toEqual(places.toSorted((left, right) => left - right));
    }
  });

  it('leaves no empty text where a result was only a picture', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const shots = Array.from({ length: 12 }, (_, at) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `s${at}`, name: 'screenshot', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `s${at}`, content: [image] }] },
    ]);
    const wire = {
      messages: [{ role: 'user', content: 'Click through it.' }, ...shots.flat(), { role: 'user', content: 'And?' }],
    };
    const { conversation } = anthropic.decode(wire);
    const before = await compact(conversation, anthropic, { target: 100_000 });
    const done = await compact(conversation, anthropic, { target: Math.floor(before.receipt.tokens.before / 3) });
    expect(done.refusal).toBeNull();
    expect(done.receipt.tokens.after).toBeLessThanOrEqual(before.receipt.tokens.before / 3);
  });
});

describe('parts that nobody can read', () => {
  it('give way as far as the handoff needs room, and no further', async () => {
    const unknown = (at: number): object => ({ type: 'future_call', id: `f${at}`, note: output(at) });
    const steps = Array.from({ length: 8 }, (_, at) => [
      { role: 'user', content: `Count shelf ${at}.` },
      { ...unknown(at), type: `future_call_${at % 2}` },
      { role: 'assistant', content: `Shelf ${at} holds ${at * 7} boxes.` },
    ]).flat();
    const wire = [{ role: 'user', content: `Count the shelves of hall ZEBRA. ${'Go slowly. '.repeat(120)}` }, ...steps];
    const { conversation } = openaiResponses.decode(wire);
    // Somewhere among these targets the unknown parts fit, but little else.
    for (let target = 2_000; target < 6_400; target += 200) {
      const { conversation: after, receipt } = await compact(conversation, openaiResponses, { target });
      expect(after.messages.map(textOf).join(' '), `target ${target}`).toContain('hall ZEBRA');
      // They go oldest first, and no further than needed.
      if (target > 2_600) expect(receipt.tokens.after / target, `target ${target}`).toBeGreaterThan(0.55);
    }
  });
});

describe('compact of a request with tools', () => {
  const tools = Array.from({ length: 125 }, (_, at) => ({
    type: 'function',
    function: {
      name: `ledger_${at}`,
      description: `Reads the ledger of account ${at} and returns the rows that match the filter.`,
      parameters: { type: 'object', properties: { filter: { type: 'string', description: 'Rows to return.' } } },
    },
  }));
  const request = { model: 'm', messages: session(20).done(), tools };
  const conversation = openaiChat.decode(request).conversation;

  it('states sizes of the whole request, line by line', async () => {
    const { receipt } = await compact(conversation, openaiChat, { window: 16_000 });
    const { before, after } = receipt.account;
    expect(receipt.outcome).toBe('folded');
    expect([before.total, after.total]).toEqual([receipt.tokens.before, receipt.tokens.after]);
    for (const { tools: own, messages, system, media, reasoning, provider, total } of [before, after]) {
      expect(own).toBeGreaterThan(7_000);
      expect(own + messages + system + media + reasoning + provider).toBe(total);
    }
    expect(after.tools).toBe(before.tools);
    expect(receipt.tokens.after).toBeLessThanOrEqual(receipt.tokens.target);
    expect(receipt.tokens.target).toBeGreaterThan(before.tools);
    expect(receipt.reason).toContain(`${before.total} tokens to ${after.total}`);
  });

  it('takes a target for one of the whole request', async () => {
    const { receipt, outcome } = await compact(conversation, openaiChat, { target: 11_000 });
    expect(outcome).not.toBe('refused');
    expect(receipt.tokens.target).toBe(11_000);
    expect(receipt.tokens.after).toBeLessThanOrEqual(11_000);
    expect(receipt.tokens.after).toBeGreaterThan(9_000);
  });

  it('says in a refusal what takes the room, and which target was asked for', async () => {
    const { outcome, receipt, smallestTarget } = await compact(conversation, openaiChat, { target: 5_000 });
    expect(outcome).toBe('refused');
    expect(receipt.tokens.target).toBe(5_000);
    expect(smallestTarget).toBeGreaterThan(receipt.account.before.tools);
    expect(receipt.reason).toMatch(/needs \d+ tokens \(tools [\d,]+, messages [\d,]+, system prompt \d+/);
    const again = await compact(conversation, openaiChat, { target: smallestTarget ?? 0 });
    expect(again.receipt.tokens.after).toBeLessThanOrEqual(smallestTarget ?? 0);
  });

  it('reserves the answer that the request allows', async () => {
    const short = openaiChat.decode({ ...request, max_tokens: 4_000 }).conversation;
    const { receipt } = await compact(short, openaiChat, { window: 20_000 });
    expect(receipt.tokens.window).toBe(16_000);
    expect(receipt.account.after.output).toBe(4_000);
    const own = await compact(short, openaiChat, { window: 20_000, reservedOutput: 1_000 });
    expect(own.receipt.tokens.window).toBe(19_000);
  });

  it('does not count tools twice that the caller counted', async () => {
    const fixedTokens = 9_000;
    const { receipt } = await compact(conversation, openaiChat, { window: 16_000, fixedTokens });
    const { tools: own, provider } = receipt.account.before;
    expect(own + provider).toBe(fixedTokens);
    expect(provider).toBeGreaterThan(0);
  });

  it('refuses when tools alone exceed the window', async () => {
    const { outcome, receipt } = await compact(conversation, openaiChat, { window: 6_000 });
    expect(outcome).toBe('refused');
    expect(receipt.reason).toContain('(tools ');
  });
});
