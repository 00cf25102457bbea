import { describe, expect, it } from 'vitest';
import { anthropic } from '../../formats/anthropic/index.ts';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { type Compaction, compact } from '../compact.ts';
import { append, type Conversation } from '../conversation/conversation.ts';
import { type Message, textOf } from '../conversation/message.ts';
import { findOriginal, refsIn } from '../conversation/ref.ts';
import type { Format } from '../format.ts';
import { isHandoff } from '../record/handoff/handoff-message.ts';

const log = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `2031-04-02 dock ${at % 9}: crate ${at * 13} moved to hall ${at % 40}`)
    .map((line, at) => (at === lines / 2 ? 'ERROR dock 4: hook H-77 jammed, belt stopped' : line))
    .join('\n');

/** Some work, and then a request around about 20,000 tokens of pasted log. */
function pasted(format: 'openai-chat' | 'anthropic' = 'openai-chat') {
  let made = build(format).system('You run a harbour.').user('Keep the cranes working. Never close hall 9.');
  for (let at = 0; at < 12; at++)
    made = made.call('inspect', { crane: at }).result(`crane ${at} lifts ${at * 3} tons\n`.repeat(30));
  return made
    .assistant('All twelve cranes lift.')
    .user(
      `The belt stopped at noon. Here is the log:\n\n${log(1_000)}\n\nFind the cause, and do not restart the belt.`,
    );
}

const wordsOf = ({ conversation }: Compaction): readonly Message[] =>
  conversation.messages.filter((message) => message.role === 'user' && !isHandoff(message));

describe('a newest message that is too large', () => {
  it.each([
    ['openai-chat', openaiChat],
    ['anthropic', anthropic],
  ] as const)('is trimmed around its pasted log at every target, in %s', async (id, format) => {
    const conversation = pasted(id).decode(format);
    for (const target of [1_000, 2_000, 4_000, 10_000]) {
      const done = await compact(conversation, format as Format, { target });
      expect(done.outcome).toBe('folded');
      expect(done.receipt.tokens.after).toBeLessThanOrEqual(target);
      const text = textOf(wordsOf(done).at(-1) as Message);
      expect(text).toMatch(/^The belt stopped at noon\. Here is the log:\n/);
      expect(text).toMatch(/Find the cause, and do not restart the belt\.$/);
      expect(text).toMatch(/\[precis: \d+ characters left out here, whole message #\d+ ⟦r:/);
      const [ref = ''] = refsIn(text);
      const original = findOriginal(conversation.messages, ref);
      expect(original?.type === 'messages' && original.messages.at(-1)).toBe(conversation.messages.at(-1));
      expect(done.receipt.edits.at(-1)).toMatchObject({ kind: 'trim', ref });
    }
  });

  it('gets the lines back that are worth their tokens, and leaves room for the work', async () => {
    const done = await compact(pasted().decode(openaiChat), openaiChat, { target: 3_000 });
    expect(textOf(wordsOf(done).at(-1) as Message)).toContain('hook H-77 jammed');
    expect(done.conversation.messages.map(textOf).join('\n')).toContain('Never close hall 9.');
  });

  it('stays whole while it takes less than its share, or condensing is enough', async () => {
    const conversation = pasted().decode(openaiChat);
    const done = await compact(conversation, openaiChat, { target: 90_000, force: true });
    expect(done.conversation.messages.at(-1)).toBe(conversation.messages.at(-1));
  });

  it('is trimmed to the same bytes in five passes as in one', async () => {
    const { messages, ...rest } = pasted().decode(openaiChat);
    const once = await compact({ ...rest, messages }, openaiChat, { target: 2_500 });
    let view: Conversation = { ...rest, messages: [] };
    for (let pass = 0; pass < 5; pass++) {
      const cut = (at: number): number => Math.min(messages.length, 1 + Math.floor((messages.length * at) / 5));
      view = append(view, messages.slice(pass === 0 ? 0 : cut(pass), cut(pass + 1)));
      view = (await compact(view, openaiChat, { target: 2_500 })).conversation;
    }
    expect(view.messages.map(textOf)).toEqual(once.conversation.messages.map(textOf));
  });

  it('is trimmed when it is the only message, and the task with it', async () => {
    const conversation = build()
      .system('You run a harbour.')
      .user(`Why?\n\n${log(1_000)}\n\nBe brief.`)
      .decode(openaiChat);
    const done = await compact(conversation, openaiChat, { target: 1_500 });
    expect(done).toMatchObject({ outcome: 'trimmed', refusal: null });
    expect(done.receipt.tokens.after).toBeLessThanOrEqual(1_500);
    expect(textOf(done.conversation.messages[1] as Message)).toMatch(/^Why\?\n[\s\S]+Be brief\.$/);
  });

  it('stays as it is when the caller pinned it', async () => {
    const conversation = pasted().decode(openaiChat);
    const pinned = new Set([conversation.messages.at(-1) as Message]);
    expect(await compact(conversation, openaiChat, { target: 2_000, pinned })).toMatchObject({
      refusal: 'target-too-small',
    });
  });
});

describe('a large system message', () => {
  const rules = Array.from({ length: 600 }, (_, at) => `Rule ${at}: hall ${at} holds crates of kind ${at}.`).join('\n');

  it('stays whole, and the room is shared out beside it', async () => {
    let made = build().system(rules).user('Keep the cranes working. Never close hall 9.');
    for (let at = 0; at < 40; at++) made = made.call('inspect', { crane: at }).result(`crane ${at} lifts\n`.repeat(60));
    const conversation = made.assistant('All cranes lift.').user('And the belts?').decode(openaiChat);
    const [system] = conversation.messages;
    const { receipt: bare } = await compact(build().system(rules).user('?').decode(openaiChat), openaiChat, {});
    const target = bare.tokens.before + 2_000;
    const done = await compact(conversation, openaiChat, { target });
    expect(done.outcome).toBe('folded');
    expect(done.conversation.messages[0]).toBe(system);
    expect(done.receipt.tokens.after).toBeLessThanOrEqual(target);
    // The task is small beside the room that is left, so it stays word for word.
    expect(done.conversation.messages[1]).toBe(conversation.messages[1]);
  });

  it('is refused only when it and the shortest request do not fit', async () => {
    const conversation = build()
      .system(rules)
      .user(`Why?\n\n${log(400)}\n\nBe brief.`)
      .decode(openaiChat);
    const refused = await compact(conversation, openaiChat, { target: 2_000 });
    expect(refused.refusal).toBe('target-too-small');
    const again = await compact(conversation, openaiChat, { target: refused.smallestTarget ?? 0 });
    expect(again.outcome).toBe('trimmed');
  });
});
