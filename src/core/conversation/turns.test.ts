import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { compact } from '../compact.ts';
import { append, historyOf, withMessages, withView } from './conversation.ts';
import type { Message } from './message.ts';
import { splitSteps } from './steps.ts';
import { isUserTurn, lastUserIndex, taskIndex } from './turns.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

describe('splitSteps', () => {
  it('keeps an assistant message, its calls and all their results together', () => {
    const { messages } = build()
      .user('Go.')
      .call('a')
      .call('b')
      .result('1')
      .result('2')
      .assistant('Done.')
      .call('c')
      .decode(openaiChat);
    expect(splitSteps(messages)).toEqual([
      { from: 0, to: 1, inFlight: [] },
      { from: 1, to: 4, inFlight: [] },
      { from: 4, to: 5, inFlight: ['call_3'] },
    ]);
    expect(splitSteps([])).toEqual([]);
  });

  it('keeps what a tool message says without a result, such as an approval, in the step of its call', () => {
    const { messages } = build().user('Go.').call('a').result('1').assistant('Done.').decode(openaiChat);
    const approval: Message = { role: 'tool', parts: [{ type: 'opaque', kind: 'approval', json: '{}' }] };
    expect(splitSteps(messages.toSpliced(2, 0, approval))).toEqual([
      { from: 0, to: 1, inFlight: [] },
      { from: 1, to: 4, inFlight: [] },
      { from: 4, to: 5, inFlight: [] },
    ]);
  });
});

describe('isUserTurn', () => {
  it.each([
    '<environment_context>x',
    '[Request interrupted by user]',
    '/compact',
    '# AGENTS.md instructions',
    '<system-reminder>',
    '<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>',
    '/',
  ])('does not take "%s" for words of the user', (text) => expect(isUserTurn(user(text))).toBe(false));

  it('takes words and pictures for a turn, nothing else', () => {
    expect(isUserTurn(user('/tmp/a.log is full'))).toBe(true);
    expect(isUserTurn(user('<current_date>2031-01-02</current_date>\n\nyes'))).toBe(true);
    expect(isUserTurn({ ...user('yes'), speaker: 'host' })).toBe(false);
    expect(isUserTurn(user(''))).toBe(false);
    expect(isUserTurn({ role: 'assistant', parts: [{ type: 'text', text: 'hi' }] })).toBe(false);
    expect(isUserTurn({ role: 'user', parts: [{ type: 'file', name: null, mediaType: null, bytes: 3 }] })).toBe(true);
  });

  it('finds the task and the newest request, and falls back to what a host says', () => {
    const host = user('<environment_context>x');
    expect([taskIndex([host, user('a'), user('b'), host]), lastUserIndex([host, user('a'), user('b'), host])]).toEqual([
      1, 2,
    ]);
    expect([taskIndex([host]), lastUserIndex([])]).toEqual([0, -1]);
  });
});

describe('a conversation', () => {
  const conversation = { format: 'x', messages: [user('a'), user('b')] };

  it('stays the same object when nothing changes', () => {
    expect(append(conversation, [])).toBe(conversation);
    expect(withMessages(conversation, [...conversation.messages])).toBe(conversation);
  });

  it('keeps its history through views, and both grow together', () => {
    const view = withView(conversation, [user('short')]);
    const grown = append(view, [user('c')]);
    expect(historyOf(view)).toBe(conversation.messages);
    expect(grown.messages).toEqual([user('short'), user('c')]);
    expect(historyOf(grown)).toEqual([user('a'), user('b'), user('c')]);
  });
});

describe('a bare command', () => {
  const answer: Message = {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'I look at the changes.' },
      { type: 'tool-call', callId: '1', name: 'bash', arguments: '{"command":"git diff"}' },
    ],
  };

  it('is a request when the assistant goes to work on it', () => {
    expect(lastUserIndex([user('Go.'), answer, user('/review'), answer])).toBe(2);
    expect(taskIndex([user('/review'), answer, user('Go.')])).toBe(0);
  });

  it('is none when it was for the client, or when the host says that it is not from a person', () => {
    expect(lastUserIndex([user('Go.'), answer, user('/clear')])).toBe(0);
    expect(taskIndex([user('/clear'), user('Go.'), answer])).toBe(1);
    expect(taskIndex([{ ...user('/review'), speaker: 'host' }, answer, user('Go.')])).toBe(2);
    expect(taskIndex([user('/review'), user('/review the parser'), answer])).toBe(1);
  });

  it('stands in every view, word for word', async () => {
    const made = Array.from({ length: 30 }, (_, at) => at).reduce(
      (built, at) => built.call('show', { id: at }).result(`row ${at} of the ledger. `.repeat(60)),
      build().system('Be careful.').user('/review'),
    );
    const conversation = made.decode(openaiChat);
    for (const target of [600, 1_500, 4_000]) {
      const { conversation: after } = await compact(conversation, openaiChat, { target });
      expect(after.messages).toContain(conversation.messages[1]);
    }
  });
});
