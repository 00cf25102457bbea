import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectMendingOnce, type Mended, mendWith } from '../../../test/formats/codec.ts';
import { PrecisError } from '../../core/errors.ts';
import { anthropic } from './index.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const use = (id: string): object => ({ type: 'tool_use', id, name: 'run', input: { a: 1 } });
const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const text = (words: string): object => ({ type: 'text', text: words });

const mend = (wire: unknown): Mended => mendWith(anthropic, wire);

describe('decoding Anthropic Messages', () => {
  it('puts the system prompt first and tells tool messages from user messages', () => {
    const wire = {
      system: [text('Be kind.')],
      messages: [
        user('go'),
        assistant([use('a')]),
        user([result('a')]),
        assistant([use('b')]),
        user([result('b'), text('and?')]),
      ],
    };
    const { messages } = anthropic.decode(wire).conversation;
    expect(messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(messages[0]?.raw).toBe(wire.system);
    expect(messages[2]?.parts[0]).toMatchObject({ type: 'tool-call', callId: 'a', arguments: '{"a":1}' });
  });

  it('binds thinking and does not read what is redacted', () => {
    const blocks = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'd' },
      text('x'),
    ];
    const [, message] = anthropic.decode([user('a'), assistant(blocks)]).conversation.messages;
    expect(message?.parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'hm', bound: true, raw: blocks[0] },
      { type: 'reasoning', text: '', bound: true, raw: blocks[1] },
    ]);
  });
});

describe('mending Anthropic Messages', () => {
  it('takes results in several user messages, which the API merges', () => {
    const wire = [user('a'), assistant([use('a'), use('b')]), user([result('a')]), user([result('b'), text('more')])];
    expect(mend(wire)).toEqual({ wire, notes: [] });
  });

  it('puts results before other content', () => {
    expect(mend([user('a'), assistant([use('a')]), user([text('here'), result('a')])])).toEqual({
      wire: [user('a'), assistant([use('a')]), user([result('a'), text('here')])],
      notes: ['2: tool results moved before the other content of their message'],
    });
  });

  it('drops an orphan result and keeps the text beside it', () => {
    expect(mend([user([result('x'), text('hello')])])).toEqual({
      wire: [user([text('hello')])],
      notes: ['0: tool result `x` has no call and was dropped'],
    });
  });

  it('moves one result of a message back to its call', () => {
    const wire = [
      user('a'),
      assistant([use('a'), use('b')]),
      user([result('a')]),
      assistant('hm'),
      user([result('b'), text('late')]),
    ];
    expect(mend(wire)).toEqual({
      wire: [wire[0], wire[1], wire[2], user([result('b')]), wire[3], user([text('late')])],
      notes: ['4: tool result `b` moved next to its call'],
    });
  });

  it('removes a call nobody answered', () => {
    expect(mend([user('a'), assistant([use('a')]), user('never mind')])).toEqual({
      wire: [user('a'), assistant([text('[tool call without a result removed]')]), user('never mind')],
      notes: ['1: tool call `a` has no result and was removed'],
    });
  });

  it('drops empty text blocks and empty messages', () => {
    expect(mend({ system: [text('')], messages: [user([text(''), text('x')]), assistant(''), user('y')] })).toEqual({
      wire: { messages: [user([text('x')]), user('y')] },
      notes: [
        '-1: system message without content dropped',
        '0: empty text block dropped',
        '1: assistant message without content dropped',
      ],
    });
  });

  it('puts a user message before an assistant that speaks first', () => {
    expect(mend([assistant('as I said')]).wire).toEqual([
      user('[the beginning of this conversation is missing]'),
      assistant('as I said'),
    ]);
  });

  it('makes any order of calls and results sound, and sound for good', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const results = fc.array(id, { minLength: 1, maxLength: 3 });
    const message = fc.oneof(
      fc.constantFrom(user('hi'), user(''), user([]), { role: 'system', content: 's' }, assistant('x')),
      results.map((ids) => assistant(ids.map(use))),
      results.map((ids) => user(ids.map(result))),
      results.map((ids) => user([text('t'), ...ids.map(result), text('')])),
    );
    expectMendingOnce(anthropic, message);
  });
});

describe('refusing what is not Anthropic Messages', () => {
  it.each([
    [
      [{ role: 'tool', content: 'x' }],
      'message 1: expected `role` to be one of user, assistant, system, got `tool` (string)',
    ],
    [[user(5)], 'message 1: expected `content` to be a string or an array of blocks, got `5` (number)'],
    [[user([null])], 'message 1: expected `content[0]` to be an object, got `null`'],
    [
      [user('a'), assistant([{ type: 'tool_use', id: 'a', name: 'f', input: '{}' }])],
      'message 2: expected `content[0].input` to be an object, got `{}` (string)',
    ],
    [
      [user([{ type: 'tool_result', content: 'x' }])],
      'message 1: expected `content[0].tool_use_id` to be a string, got nothing',
    ],
    [
      [user([{ type: 'tool_result', tool_use_id: 'a', content: 4 }])],
      'message 1: expected `content[0].content` to be a string or an array of blocks, got `4` (number)',
    ],
    [{ system: 4, messages: [] }, 'expected `system` to be a string or an array of blocks, got `4` (number)'],
    [{ system: [{ type: 'text' }], messages: [] }, 'expected `system[0].text` to be a string, got nothing'],
  ])('%j', (wire, message) => {
    expect(() => anthropic.decode(wire)).toThrow(message);
    try {
      anthropic.decode(wire);
    } catch (error) {
      expect(PrecisError.is(error) && error.code).toBe('bad-input');
    }
  });

  it('input nested deeper than JSON can be written', () => {
    const input = { deep: JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown };
    expect(() => anthropic.decode([user('a'), assistant([{ type: 'tool_use', id: 'a', name: 'f', input }])])).toThrow(
      'message 2: expected `content[0].input` to be',
    );
  });
});
