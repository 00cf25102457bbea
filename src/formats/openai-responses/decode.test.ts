import { describe, expect, it } from 'vitest';
import { type Mended, mendWith } from '../../../test/formats/codec.ts';
import { splitSteps } from '../../core/conversation/steps.ts';
import { PrecisError } from '../../core/errors.ts';
import { openaiResponses } from './index.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const said = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const reasoning = (id: string): object => ({ type: 'reasoning', id, summary: [], encrypted_content: `q${id}` });
const call = (id: string, fields: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'run',
  arguments: '{}',
  ...fields,
});
const output = (id: string, text: unknown = 'ok'): object => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
});

/** Decodes, insists on soundness, and gives the wire value and the notes. */
const mend = (wire: unknown): Mended => mendWith(openaiResponses, wire);

function failure(wire: unknown): PrecisError {
  try {
    openaiResponses.decode(wire);
  } catch (error) {
    if (PrecisError.is(error)) return error;
    throw error;
  }
  throw new Error('decode accepted it');
}

/** What each message holds. */
function kinds(wire: unknown): readonly string[] {
  return openaiResponses
    .decode(wire)
    .conversation.messages.map(({ role, parts }) => `${role}: ${parts.map((part) => part.type).join(' ')}`);
}

describe('decoding OpenAI Responses', () => {
  it('puts reasoning, words and parallel calls into one message, and its outputs into the same step', () => {
    const wire = [
      user('go'),
      reasoning('1'),
      said('Both.'),
      call('a'),
      call('b'),
      output('b'),
      output('a'),
      said('Done.'),
    ];
    expect(kinds(wire)).toEqual([
      'user: text',
      'assistant: reasoning text tool-call tool-call',
      'tool: tool-result',
      'tool: tool-result',
      'assistant: text',
    ]);
    expect(splitSteps(openaiResponses.decode(wire).conversation.messages)).toHaveLength(3);
  });

  it('begins a new message with new reasoning, but not while calls wait for their outputs', () => {
    expect(
      kinds([user('go'), reasoning('1'), said('a'), reasoning('2'), reasoning('3'), said('b'), said('c')]),
    ).toEqual(['user: text', 'assistant: reasoning text', 'assistant: reasoning reasoning text text']);
    expect(kinds([user('go'), reasoning('1'), call('a'), reasoning('2'), call('b'), output('a'), output('b')])).toEqual(
      ['user: text', 'assistant: reasoning tool-call reasoning tool-call', 'tool: tool-result', 'tool: tool-result'],
    );
  });

  it('keeps words of the assistant apart that came without reasoning', () => {
    expect(kinds([user('go'), said('a'), said('b'), call('c'), output('c')])).toEqual([
      'user: text',
      'assistant: text',
      'assistant: text tool-call',
      'tool: tool-result',
    ]);
  });

  it('takes a text for what the user says, and instructions for the system prompt', () => {
    for (const wire of ['Hello.', { input: 'Hello.' }, { input: 'Hello.', instructions: null }]) {
      expect(kinds(wire)).toEqual(['user: text']);
      expect(mend(wire)).toEqual({ wire, notes: [] });
      expect(mend(wire).wire).toBe(wire);
    }
    expect(kinds({ instructions: 'Be brief.', input: [user('go')] })).toEqual(['system: text', 'user: text']);
  });

  it('keeps what it does not know, calls without an id, and state items as opaque parts', () => {
    const items = [
      { type: 'compaction', id: 'c', encrypted_content: 'q' },
      user('go'),
      { type: 'tomorrow', id: 't' },
      { type: 'configuration_update', model: 'x' },
      { type: 'custom_tool_call', call_id: null, name: 'x', input: 'y' },
    ];
    expect(kinds(items)).toEqual([
      'system: opaque',
      'user: text',
      'assistant: opaque',
      'system: opaque',
      'assistant: opaque',
    ]);
  });

  it('keeps an output whose call stands behind a reference', () => {
    for (const reference of [{ type: 'item_reference', id: 'fc_1' }, { id: 'fc_1' }])
      expect(kinds([user('go'), reference, output('a'), said('Done.')])).toEqual([
        'user: text',
        'assistant: opaque',
        'tool: tool-result',
        'assistant: text',
      ]);
  });

  it.each<[string, readonly unknown[], readonly unknown[], readonly string[]]>([
    ['an orphan output', [user('go'), output('x')], [user('go')], ['1: tool result `x` has no call and was dropped']],
    [
      'a call nobody answered, with the reasoning that came with it',
      [user('go'), reasoning('1'), call('a', { id: 'fc' }), call('b', { id: 'fd' }), output('a'), user('and?')],
      [user('go'), call('a'), output('a'), user('and?')],
      ['1: reasoning without the items that followed it dropped', '1: tool call `b` has no result and was removed'],
    ],
    [
      'reasoning that nothing follows',
      [user('go'), reasoning('1'), user('and?'), reasoning('2')],
      [user('go'), user('and?')],
      [
        '1: reasoning without the items that followed it dropped',
        '3: reasoning without the items that followed it dropped',
      ],
    ],
    [
      'an output that strayed',
      [user('go'), call('a'), user('wait'), output('a')],
      [user('go'), call('a'), output('a'), user('wait')],
      ['3: tool result `a` moved next to its call'],
    ],
    [
      'an output without content',
      [user('go'), call('a'), output('a', null)],
      [user('go'), call('a'), output('a', '')],
      ['2: tool result without content made empty'],
    ],
    ['an empty message', [user('go'), said('')], [user('go')], ['1: assistant message without content dropped']],
    [
      'a trigger that is not the last item',
      [user('go'), { type: 'compaction_trigger' }, user('on')],
      [user('go'), user('on')],
      ['1: compaction trigger that is not the last item dropped'],
    ],
  ])('mends %s', (_what, before, after, notes) => {
    expect(mend(before)).toEqual({ wire: after, notes });
    expect(mend(after).notes).toEqual([]);
  });

  it.each<[unknown, string]>([
    [7, 'expected an array of items, a text, or an object with `input`, got `7` (number)'],
    [{ input: 7 }, 'expected an array of items, a text, or an object with `input`, got `input` with `7` (number)'],
    [{ input: [], instructions: 7 }, 'expected `instructions` to be a string or null, got `7` (number)'],
    [['x'], 'message 1: expected an object with a `role`, got `x` (string)'],
    [
      [{ role: 'robot' }],
      'message 1: expected `role` to be one of system, developer, user, assistant, got `robot` (string)',
    ],
    [[user('a'), user(7)], 'message 2: expected `content` to be a string, an array of parts or null, got `7` (number)'],
    [[user([{ type: 'input_text' }])], 'message 1: expected `content[0].text` to be a string, got nothing'],
    [[{ type: 'function_call', name: 'x' }], 'message 1: expected `call_id` to be a string, got nothing'],
    [[call('a', { arguments: {} })], 'message 1: expected `arguments` to be a string, got an object'],
    [[output('a', 7)], 'message 1: expected `output` to be a string, an array of parts or null, got `7` (number)'],
    [[{ type: 'shell_call', call_id: 'a' }], 'message 1: expected `action` to be an object, got nothing'],
  ])('refuses %j by name', (wire, message) => {
    expect(failure(wire).message).toBe(message);
    expect(failure(wire).code).toBe('bad-input');
  });
});
