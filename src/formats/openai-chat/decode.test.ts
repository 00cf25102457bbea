import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectMendingOnce, type Mended, mendWith } from '../../../test/formats/codec.ts';
import { PrecisError } from '../../core/errors.ts';
import { openaiChat } from './index.ts';

const call = (id: string, text = '{}'): object => ({
  id,
  type: 'function',
  function: { name: 'run', arguments: text },
});
const user = (content: unknown): object => ({ role: 'user', content });
const calls = (...ids: readonly string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
});
const result = (id: string, content: unknown = 'ok'): object => ({ role: 'tool', tool_call_id: id, content });

/** Decodes, insists on soundness, and gives the wire value and the notes. */
const mend = (wire: unknown): Mended => mendWith(openaiChat, wire);

function failure(wire: unknown): PrecisError {
  try {
    openaiChat.decode(wire);
  } catch (error) {
    if (PrecisError.is(error)) return error;
    throw error;
  }
  throw new Error('decode accepted it');
}

describe('decoding OpenAI chat', () => {
  it('reads reasoning, text and calls in that order', () => {
    const message = { role: 'assistant', content: 'hi', reasoning: 'hm', tool_calls: [call('a', '{"x":1}')] };
    const [decoded] = openaiChat.decode([message]).conversation.messages;
    expect(decoded?.parts).toEqual([
      { type: 'reasoning', text: 'hm', bound: false },
      { type: 'text', text: 'hi' },
      { type: 'tool-call', callId: 'a', name: 'run', arguments: '{"x":1}', raw: call('a', '{"x":1}') },
    ]);
  });

  it('binds reasoning that is signed or encrypted', () => {
    const details = [{ type: 'reasoning.text', text: 'hm', signature: 's' }];
    const [decoded] = openaiChat.decode([{ role: 'assistant', content: 'x', reasoning_details: details }]).conversation
      .messages;
    expect(decoded?.parts[0]).toEqual({ type: 'reasoning', text: 'hm', bound: true });
  });

  it('keeps a hundred levels of unknown content as an opaque part', () => {
    const deep = Array.from({ length: 100 }).reduce<object>((inner) => ({ type: 'box', inner }), {});
    const [decoded] = openaiChat.decode([user([{ type: 'box', deep }])]).conversation.messages;
    expect(decoded?.parts[0]).toMatchObject({ type: 'opaque', kind: 'box' });
  });

  it('survives content nested deeper than the stack', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    const wire = [user([{ type: 'box', deep }])];
    expect(mend(wire).wire).toBe(wire);
  });

  it('accepts system messages in the middle', () => {
    const wire = [user('a'), { role: 'system', content: 'note' }, user('b')];
    expect(mend(wire)).toEqual({ wire, notes: [] });
  });

  it('accepts an answer that is reasoning alone', () => {
    const wire = [user('a'), { role: 'assistant', content: '', reasoning_content: 'cut off' }];
    expect(mend(wire)).toEqual({ wire, notes: [] });
  });
});

describe('mending OpenAI chat', () => {
  it('drops a result that has no call', () => {
    expect(mend([user('a'), result('ghost')])).toEqual({
      wire: [user('a')],
      notes: ['1: tool result `ghost` has no call and was dropped'],
    });
  });

  it('drops a result that stands before its call, and the call that it leaves alone', () => {
    expect(mend([user('a'), result('c1'), calls('c1'), user('b')])).toEqual({
      wire: [user('a'), { role: 'assistant', content: '[tool call without a result removed]' }, user('b')],
      notes: [
        '1: tool result `c1` stands before its call and was dropped',
        '2: tool call `c1` has no result and was removed',
      ],
    });
  });

  it('drops a second answer to one call', () => {
    expect(mend([user('a'), calls('c1'), result('c1', 'one'), result('c1', 'two')])).toEqual({
      wire: [user('a'), calls('c1'), result('c1', 'one')],
      notes: ['3: tool result `c1` is a second answer to one call and was dropped'],
    });
  });

  it('removes one unanswered call of a batch and keeps the rest', () => {
    const wire = [user('a'), { ...calls('c1', 'c2'), content: 'Doing it.' }, result('c2'), user('b')];
    expect(mend(wire)).toEqual({
      wire: [user('a'), { role: 'assistant', content: 'Doing it.', tool_calls: [call('c2')] }, result('c2'), user('b')],
      notes: ['1: tool call `c1` has no result and was removed'],
    });
  });

  it('leaves calls in flight at the end alone', () => {
    const wire = [user('a'), calls('c1', 'c2'), result('c1')];
    expect(mend(wire).wire).toBe(wire);
  });

  it('leaves calls in flight alone when something else is mended', () => {
    const wire = [user('a'), result('ghost'), calls('c1', 'c2'), result('c1')];
    expect(mend(wire).wire).toEqual([wire[0], wire[2], wire[3]]);
  });

  it('removes an unanswered call of the last assistant message when the user spoke after it', () => {
    expect(mend([user('a'), calls('c1'), user('never mind')]).notes).toEqual([
      '1: tool call `c1` has no result and was removed',
    ]);
  });

  it('drops the second call of one id in a message', () => {
    expect(mend([user('a'), calls('c1', 'c1'), result('c1')])).toEqual({
      wire: [user('a'), calls('c1'), result('c1')],
      notes: ['1: second tool call with the id `c1` dropped'],
    });
  });

  it('moves a result that strayed back to its call', () => {
    const wire = [user('a'), calls('c1', 'c2'), result('c2'), user('wait'), result('c1')];
    const mended = mend(wire);
    expect(mended).toEqual({
      wire: [wire[0], wire[1], wire[2], wire[4], wire[3]],
      notes: ['4: tool result `c1` moved next to its call'],
    });
    expect((mended.wire as readonly unknown[])[3]).toBe(wire[4]);
  });

  it('gives a result between two calls of one id to neither when it could be of both', () => {
    const wire = [user('a'), calls('c1'), user('b'), calls('c1'), user('c'), result('c1')];
    expect(mend(wire).notes).toContain('5: tool result `c1` could answer more than one call and was dropped');
  });

  it('pairs ids that are reused in every turn', () => {
    const wire = [user('a'), calls('call_0'), result('call_0'), user('b'), calls('call_0'), result('call_0')];
    expect(mend(wire).wire).toBe(wire);
  });

  it.each([[null], [undefined], [''], [[]], [[{ type: 'text', text: '' }]]])(
    'drops a user message whose content is %j',
    (content) => {
      expect(mend([user('a'), user(content)])).toEqual({
        wire: [user('a')],
        notes: ['1: user message without content dropped'],
      });
    },
  );

  it('gives a tool result without content an empty one', () => {
    expect(mend([user('a'), calls('c1'), result('c1', null)])).toEqual({
      wire: [user('a'), calls('c1'), result('c1', '')],
      notes: ['2: tool result without content made empty'],
    });
  });

  it('pairs a function message with the function call before it', () => {
    const wire = [user('a'), { role: 'function', name: 'f', content: 'x' }, user('b')];
    expect(mend(wire).wire).toEqual([user('a'), user('b')]);
  });

  it('makes any order of calls and results sound, and sound for good', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const message = fc.oneof(
      fc.constantFrom(user('hi'), user(null), { role: 'system', content: 's' }, { role: 'assistant', content: 'x' }),
      fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => calls(...ids)),
      id.map((each) => result(each)),
      fc.constantFrom(
        { role: 'function', name: 'f', content: 'x' },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } },
      ),
    );
    expectMendingOnce(openaiChat, message);
  });
});

describe('refusing what is not OpenAI chat', () => {
  it.each([
    [
      [user('a'), { role: 'robot', content: 'x' }],
      'message 2: expected `role` to be one of system, developer, user, assistant, tool, got `robot` (string)',
      'role',
    ],
    [
      [{ content: 'x' }],
      'message 1: expected `role` to be one of system, developer, user, assistant, tool, got nothing',
      'role',
    ],
    [['hello'], 'message 1: expected an object with a `role`, got `hello` (string)', 'role'],
    [[user(7)], 'message 1: expected `content` to be a string, an array of parts or null, got `7` (number)', 'content'],
    [[user(['x'])], 'message 1: expected `content[0]` to be an object, got `x` (string)', 'content[0]'],
    [[user([{ text: 'x' }])], 'message 1: expected `content[0].type` to be a string, got nothing', 'content[0].type'],
    [
      [user([{ type: 'text' }])],
      'message 1: expected `content[0].text` to be a string, got nothing',
      'content[0].text',
    ],
    [
      [{ role: 'tool', content: 'x' }],
      'message 1: expected `tool_call_id` to be a string, got nothing',
      'tool_call_id',
    ],
    [
      [{ role: 'assistant', tool_calls: {} }],
      'message 1: expected `tool_calls` to be an array, got an object',
      'tool_calls',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ type: 'function' }] }],
      'message 1: expected `tool_calls[0].id` to be a string, got nothing',
      'tool_calls[0].id',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] }],
      'message 1: expected `tool_calls[0].function.arguments` to be a string, got an object',
      'tool_calls[0].function.arguments',
    ],
  ])('%j', (wire, text, field) => {
    const error = failure(wire);
    expect(error.code).toBe('bad-input');
    expect(error.message).toBe(text);
    expect(error.data).toMatchObject({ field });
  });

  it('a value that holds no messages', () => {
    expect(failure('x').message).toBe(
      'expected an array of messages or an object with a `messages` array, got `x` (string)',
    );
    expect(failure({ messages: 3 }).message).toBe(
      'expected an array of messages or an object with a `messages` array, got `messages` with `3` (number)',
    );
  });
});
