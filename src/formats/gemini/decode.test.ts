import { describe, expect, it } from 'vitest';
import { type Mended, mendWith } from '../../../test/formats/codec.ts';
import { resultTextOf, toolCallsOf, toolResultsOf } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import { MISSING_START_TEXT } from '../missing-start.ts';
import { gemini } from './index.ts';

const user = (...parts: readonly unknown[]): object => ({ role: 'user', parts });
const model = (...parts: readonly unknown[]): object => ({ role: 'model', parts });
const go = user({ text: 'go' });
const call = (name: string, id?: string): object => ({ functionCall: { ...(id === undefined ? {} : { id }), name } });
const answer = (name: string, response: unknown = { output: name }, id?: string): object => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response },
});

/** Decodes, insists on soundness, and gives the wire value and the notes. */
const mend = (wire: unknown): Mended => mendWith(gemini, wire);

function failure(wire: unknown): PrecisError {
  try {
    gemini.decode(wire);
  } catch (error) {
    if (PrecisError.is(error)) return error;
    throw error;
  }
  throw new Error('decode accepted it');
}

/** The output of each call, in the order of the calls. */
function pairs(...contents: readonly unknown[]): readonly string[] {
  const { messages } = gemini.decode([go, ...contents]).conversation;
  const results = messages.flatMap(toolResultsOf);
  return messages.flatMap(toolCallsOf).map(({ callId, name }) => {
    const result = results.find((part) => part.callId === callId);
    return `${name}: ${result === undefined ? 'nothing' : resultTextOf(result)}`;
  });
}

describe('decoding Gemini contents', () => {
  it('pairs by id where both have one, else by order and name', () => {
    expect(
      pairs(
        model(call('a'), call('b'), call('a')),
        user(answer('b', { output: '1' }), answer('a', { output: '2' }), answer('a', { output: '3' })),
      ),
    ).toEqual(['a: 2', 'b: 1', 'a: 3']);
    expect(
      pairs(
        model(call('a', 'x'), call('a', 'y')),
        user(answer('a', { output: '1' }, 'y'), answer('a', { output: '2' }, 'x')),
      ),
    ).toEqual(['a: 2', 'a: 1']);
    expect(
      pairs(model(call('a', 'x'), call('b')), user(answer('b', { output: '1' }, 'z'), answer('a', { output: '2' }))),
    ).toEqual(['a: 2', 'b: 1']);
  });

  it('reads a response as the text it is, or field by field', () => {
    const text = (response: unknown): string => {
      const [result] = gemini
        .decode([go, model(call('a')), user(answer('a', response))])
        .conversation.messages.flatMap(toolResultsOf);
      return result === undefined ? 'none' : `${result.isError ? '! ' : ''}${resultTextOf(result)}`;
    };
    expect(text({ output: 'one\ntwo' })).toBe('one\ntwo');
    expect(text({ error: 'broken' })).toBe('! broken');
    expect(text({ stdout: 'one\ntwo', exit: 1, tags: ['x'] })).toBe('stdout: one\ntwo\nexit: 1\ntags: ["x"]');
    expect(text({})).toBe('');
  });

  it('reads thoughts as reasoning, and an empty text with a signature too', () => {
    const parts = [
      { text: 'hm', thought: true },
      { text: 'hi', thoughtSignature: 's' },
      { text: '', thoughtSignature: 's' },
    ];
    const [, message] = gemini.decode([go, model(...parts)]).conversation.messages;
    expect(message?.parts).toEqual([
      { type: 'reasoning', text: 'hm', bound: false, raw: parts[0] },
      { type: 'text', text: 'hi', raw: parts[1] },
      { type: 'reasoning', text: '', bound: false, raw: parts[2] },
    ]);
  });

  it.each([{ systemInstruction: 'Be brief.' }, { system_instruction: { parts: [{ text: 'Be brief.' }] } }])(
    'takes the instruction for the system prompt: %j',
    (prompt) => {
      const wire = { ...prompt, contents: [go] };
      expect(gemini.decode(wire).conversation.messages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(mend(wire).wire).toBe(wire);
    },
  );

  it.each<[string, readonly unknown[], readonly unknown[], readonly string[]]>([
    [
      'answers spread over several contents',
      [go, model(call('a'), call('b')), user(answer('b')), user(answer('a'), { text: 'on' })],
      [go, model(call('a'), call('b')), user(answer('b'), answer('a'), { text: 'on' })],
      ['3: tool results of one step brought into one message'],
    ],
    [
      'an answer of another function',
      [go, model(call('a'), { text: 'x' }), user(answer('b')), go],
      [go, model({ text: 'x' }), go],
      ['1: tool call `a~0` has no result and was removed', '2: tool result `b~?0` has no call and was dropped'],
    ],
    [
      'an answer without an id that strayed from its call',
      [go, model(call('a')), go, user(answer('a'))],
      [go, model({ text: '[tool call without a result removed]' }), go],
      ['1: tool call `a~0` has no result and was removed', '3: tool result `a~?0` has no call and was dropped'],
    ],
    [
      'an answer with an id that strayed from its call',
      [go, model(call('a', 'x')), go, user(answer('a', {}, 'x'))],
      [go, model(call('a', 'x')), user(answer('a', {}, 'x')), go],
      ['3: tool result `x` moved next to its call'],
    ],
    [
      'an answer that is a text',
      [go, model(call('a')), user(answer('a', 'done'))],
      [go, model(call('a')), user(answer('a', { output: 'done' }))],
      ['2: response of a function made an object'],
    ],
    [
      'answers behind other parts',
      [go, model(call('a')), user({ text: 'x' }, answer('a'))],
      [go, model(call('a')), user(answer('a'), { text: 'x' })],
      ['2: tool results moved before the other content of their message'],
    ],
    [
      'an empty text',
      [go, model({ text: '' }, { text: 'x' })],
      [go, model({ text: 'x' })],
      ['1: empty text part dropped'],
    ],
    [
      'empty contents, and joins what they parted',
      [go, model({ text: 'x' }), user(), model({ text: 'y' })],
      [go, model({ text: 'x' }, { text: 'y' })],
      ['2: user message without content dropped'],
    ],
    [
      'a conversation that the model begins',
      [model({ text: 'x' })],
      [user({ text: MISSING_START_TEXT }), model({ text: 'x' })],
      ['0: the assistant spoke first: a user message that says so was put before it'],
    ],
  ])('mends %s', (_what, before, after, notes) => {
    expect(mend(before)).toEqual({ wire: after, notes });
    expect(mend(after).notes).toEqual([]);
  });

  it.each<[unknown, string]>([
    [7, 'expected an array of contents or an object with a `contents` array, got `7` (number)'],
    [
      { contents: 'x' },
      'expected an array of contents or an object with a `contents` array, got `contents` with `x` (string)',
    ],
    [
      { contents: [go], systemInstruction: 7 },
      'expected `systemInstruction` to be a content with parts, or a string, got `7` (number)',
    ],
    [['x'], 'message 1: expected an object with a `role`, got `x` (string)'],
    [
      [{ role: 'assistant', parts: [] }],
      'message 1: expected `role` to be one of user, model, got `assistant` (string)',
    ],
    [[{ parts: 'x' }], 'message 1: expected `parts` to be an array of parts, got `x` (string)'],
    [[user({ text: 7 })], 'message 1: expected `parts[0].text` to be a string, got `7` (number)'],
    [[go, model({ functionCall: {} })], 'message 2: expected `parts[0].functionCall.name` to be a string, got nothing'],
    [
      [go, model({ function_call: { name: 'a', args: 'x' } })],
      'message 2: expected `parts[0].function_call.args` to be an object, got `x` (string)',
    ],
    [
      [user(answer('a', [1]))],
      'message 1: expected `parts[0].functionResponse.response` to be an object, got an array',
    ],
  ])('refuses %j by name', (wire, message) => {
    expect(failure(wire).message).toBe(message);
    expect(failure(wire).code).toBe('bad-input');
  });
});
