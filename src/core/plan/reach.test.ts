import { describe, expect, it } from 'vitest';
import { anthropicTurn, SYSTEM, turns, type Wire } from '../../../test/agent-wire.ts';
import { openContext } from '../../context/open.ts';
import { anthropic, openaiChat, openaiResponses } from '../../formats/index.ts';
import { compact } from '../compact.ts';
import { allText, type Message, textOf } from '../conversation/message.ts';
import { refsIn } from '../conversation/ref.ts';
import { isHandoff } from '../record/handoff/handoff-message.ts';

const LONG = 'The ledger row is balanced. '.repeat(2_000);

const chat = (messages: readonly Wire[]) => openaiChat.decode(messages).conversation;
const textsOf = (messages: readonly Message[]): string => messages.map(allText).join('\n');

describe('calls in flight', () => {
  const writing = (id: string): Wire => ({
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id,
        type: 'function',
        function: { name: 'write_file', arguments: JSON.stringify({ path: id, content: LONG }) },
      },
    ],
  });
  const asked = { role: 'user', content: 'Write the file.' };

  it('stay when the window forces everything else to go, with short arguments, and their results follow them', async () => {
    for (const window of [2_000, 6_000]) {
      await using context = await openContext({ id: 'a', window });
      await context.append([SYSTEM, ...turns(1, 2), asked, writing('call_w')]);
      const { fits, request } = await context.prepare();
      expect(fits).toBe(true);
      expect((request as Wire[]).at(-1)).toMatchObject({ tool_calls: [{ id: 'call_w' }] });
      await context.append({ role: 'tool', tool_call_id: 'call_w', content: 'written' });
      const later = (await context.prepare()).request as Wire[];
      expect(later.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_w' });
    }
  });

  it('are not touched while something else can go', async () => {
    const small = {
      ...writing('call_w'),
      tool_calls: [{ id: 'call_w', type: 'function', function: { name: 'list', arguments: '{"path":"src"}' } }],
    };
    const before = chat([SYSTEM, ...turns(1, 12), asked, small]);
    const { conversation, outcome } = await compact(before, openaiChat, { target: 2_000 });
    expect(outcome).toBe('condensed');
    expect(conversation.messages.at(-1)).toBe(before.messages.at(-1));
  });
});

describe('media of the newest request', () => {
  const pictures = Array.from({ length: 20 }, () => ({ type: 'image_url', image_url: { url: 'https://a.b/c.png' } }));
  const newest = { role: 'user', content: [{ type: 'text', text: 'Compare these pictures.' }, ...pictures] };

  it('stay while older output can go', async () => {
    const before = chat([SYSTEM, ...turns(1, 30), { ...newest, content: newest.content.slice(0, 2) }]);
    const { conversation } = await compact(before, openaiChat, { target: 6_000 });
    expect(conversation.messages.at(-1)).toBe(before.messages.at(-1));
  });

  it('become lines that say where they are, when they alone are too large; the words stay', async () => {
    const before = chat([SYSTEM, ...turns(1, 3), newest]);
    const { conversation, receipt } = await compact(before, openaiChat, { window: 12_000 });
    const last = conversation.messages.at(-1) as Message;
    expect(receipt.account.after.media).toBe(0);
    expect(textOf(last)).toContain('Compare these pictures.');
    expect(refsIn(textOf(last)).length).toBe(20);
    expect(receipt.tokens.after).toBeLessThan(receipt.tokens.target);
  });
});

describe('system messages behind the first request', () => {
  const reminder = (text: string): Wire => ({
    role: 'system',
    content: `${text} ${'Mind the ledger rules. '.repeat(150)}`,
  });
  const between = (texts: readonly string[]): readonly Wire[] => [
    SYSTEM,
    ...texts.flatMap((text, at) => [...turns(3 * at + 1, 3 * at + 3), reminder(text)]),
    { role: 'user', content: 'Go on.' },
  ];
  const remindersIn = (messages: readonly Message[]): number =>
    messages.filter(({ role }) => role === 'system').length - 1;

  it('stay, but of those that repeat each other only the newest', async () => {
    const before = chat(between(['Never.', 'Never.', 'Always.', 'Never.']));
    const { conversation, outcome } = await compact(before, openaiChat, { target: 4_500 });
    expect(outcome).toBe('folded');
    expect(remindersIn(conversation.messages)).toBe(2);
    expect(conversation.messages.at(-2)).toBe(before.messages.at(-2));
  });

  it('go into the handoff, oldest first, when nothing else reaches the target; the system prompt never does', async () => {
    const before = chat(between(['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.']));
    const { conversation, outcome } = await compact(before, openaiChat, { target: 2_000 });
    expect(outcome).toBe('folded');
    expect(remindersIn(conversation.messages)).toBe(1);
    expect(textsOf(conversation.messages)).toContain('Six.');
    expect(conversation.messages[0]).toBe(before.messages[0]);
    expect(textsOf(conversation.messages)).toContain('Mind the ledger rules.');
  });
});

describe('parts that only their provider can read', () => {
  const state = (at: number): Wire => ({ type: 'ledger_state', id: `s_${at}`, blob: `${at} ${LONG.slice(0, 6_000)}` });
  const input = [
    ...Array.from({ length: 6 }, (_, at) => [
      { role: 'user', content: `Question ${at}: what is next?` },
      state(at),
      { role: 'assistant', content: `Step ${at} is next.` },
    ]).flat(),
    { role: 'user', content: 'Go on.' },
  ];
  const before = openaiResponses.decode({ model: 'm', input }).conversation;
  const opaqueIn = (messages: readonly Message[]): number =>
    messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'opaque').length;

  it('stay while they fit, then only the newest of a kind, and at last none', async () => {
    expect(opaqueIn(before.messages)).toBe(6);
    const newest = await compact(before, openaiResponses, { target: 4_000 });
    expect([newest.outcome, opaqueIn(newest.conversation.messages)]).toEqual(['folded', 1]);
    const none = await compact(before, openaiResponses, { target: 900 });
    expect([none.outcome, opaqueIn(none.conversation.messages)]).toEqual(['folded', 0]);
  });
});

describe('a message with results and words', () => {
  const step = (words: string, output: string): readonly Wire[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_9', name: 'bash', input: { command: 'ls' } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_9', content: output },
        { type: 'text', text: words },
      ],
    },
  ];
  const decoded = (words: string, output: string) =>
    anthropic.decode({
      model: 'm',
      max_tokens: 500,
      messages: [...anthropicTurn(1), ...anthropicTurn(2), { role: 'user', content: 'Look.' }, ...step(words, output)],
    }).conversation;

  it('keeps the words while its output is trimmed', async () => {
    const { conversation, receipt } = await compact(decoded('Now sum it up.', LONG), anthropic, { window: 9_000 });
    expect(receipt.tokens.after).toBeLessThanOrEqual(receipt.tokens.target);
    expect(textOf(conversation.messages.at(-1) as Message)).toBe('Now sum it up.');
    expect(conversation.messages.filter(isHandoff).length).toBeLessThanOrEqual(1);
  });

  it('is compacted when the words are the large part', async () => {
    const { conversation, receipt } = await compact(
      decoded(`Never round. ${LONG} Now sum it up.`, 'a b c'),
      anthropic,
      {
        window: 9_000,
      },
    );
    expect(receipt.tokens.after).toBeLessThanOrEqual(receipt.tokens.target);
    expect(textsOf(conversation.messages)).toContain('Now sum it up.');
    expect(textsOf(conversation.messages)).toContain('Never round.');
  });
});
