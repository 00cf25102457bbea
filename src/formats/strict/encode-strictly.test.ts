import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../core/format.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from '../index.ts';
import { encodeStrictly, type StrictOptions } from './encode-strictly.ts';

function strictly(format: Format, wire: unknown, options: StrictOptions): { wire: unknown; notes: readonly string[] } {
  const encoded = encodeStrictly(format, format.decode(wire).conversation, options);
  return { wire: encoded.wire, notes: encoded.notes.map(({ message, text }) => `${message}: ${text}`) };
}

const user = (content: unknown): object => ({ role: 'user', content });
const said = (content: unknown): object => ({ role: 'assistant', content });

describe('a server that wants turns', () => {
  it('gets one user message that holds the task and the handoff, as a text', () => {
    const wire = [{ role: 'system', content: 'Be brief.' }, user('Fix it.'), user('Handoff.'), said('ok')];
    expect(strictly(openaiChat, wire, { alternate: true })).toEqual({
      wire: [wire[0], user('Fix it.\n\nHandoff.'), wire[3]],
      notes: ['2: joined with the message before it'],
    });
  });

  it('gets the very messages that need no change', () => {
    const wire = { messages: [user('a'), said('b'), user('c')] };
    expect(strictly(openaiChat, wire, { alternate: true, idChars: 40, names: true }).wire).toBe(wire);
    const longer = { messages: [...wire.messages, said('d'), said('e')] };
    const { wire: strict } = strictly(openaiChat, longer, { alternate: true });
    expect((strict as typeof wire).messages[2]).toBe(wire.messages[2]);
  });

  it('gets one prompt, and later system messages as words of the user', () => {
    const system = (content: string): object => ({ role: 'system', content });
    const wire = [
      system('One.'),
      { role: 'developer', content: 'Two.' },
      user('go'),
      said('ok'),
      system('Soon over.'),
      user('and?'),
    ];
    expect(strictly(openaiChat, wire, { alternate: true })).toEqual({
      wire: [system('One.\n\nTwo.'), user('go'), said('ok'), user('[system message]\nSoon over.\n\nand?')],
      notes: [
        '1: joined with the prompt before it',
        '4: a system message among the others became words of the user',
        '5: joined with the message before it',
      ],
    });
  });

  it('gets an assistant message between results and the user, where results are messages', () => {
    const call = { id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } };
    const wire = [
      user('go'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'r' },
      user('stop'),
    ];
    const { wire: strict, notes } = strictly(openaiChat, wire, { alternate: true });
    expect(strict).toEqual([...wire.slice(0, 3), said('[tool results received]'), wire[3]]);
    expect(notes).toEqual(['3: an assistant message was put before it']);
  });

  it('gets results and the words after them in one message, where results are words of the user', () => {
    const use = { type: 'tool_use', id: 'a', name: 'x', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'r' };
    const wire = [user('go'), said([use]), user([result]), user('stop')];
    expect(strictly(anthropic, wire, { alternate: true }).wire).toEqual([
      wire[0],
      wire[1],
      user([result, { type: 'text', text: 'stop' }]),
    ]);
  });

  it('gets the reasoning and the calls of the second of two answers, with the words of the first', () => {
    const call = { id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } };
    const first = { role: 'assistant', content: 'Wait.', reasoning_content: 'hm' };
    const second = { role: 'assistant', content: null, reasoning_content: 'so', tool_calls: [call] };
    expect(strictly(openaiChat, [user('go'), first, second], { alternate: true })).toEqual({
      wire: [user('go'), { ...second, content: 'Wait.' }],
      notes: ['2: joined with the message before it, whose reasoning was left out'],
    });
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const wire = [user('go'), said([thinking, { type: 'text', text: 'Wait.' }]), said('Done.  ')];
    expect(strictly(anthropic, wire, { alternate: true }).wire).toEqual([
      user('go'),
      said([thinking, { type: 'text', text: 'Wait.' }, { type: 'text', text: 'Done.' }]),
    ]);
  });

  it('gets the user first', () => {
    const { wire, notes } = strictly(openaiChat, [said('Hello.'), user('hi')], { alternate: true });
    expect(wire).toEqual([user('[the beginning of this conversation is missing]'), said('Hello.'), user('hi')]);
    expect(notes).toEqual(['0: a user message was put before it']);
  });

  it('gets a request whose history it keeps as it is', () => {
    const wire = {
      previous_response_id: 'r',
      input: [user('a'), user('b'), { type: 'function_call_output', call_id: 'x y', output: '' }],
    };
    expect(strictly(openaiResponses, wire, { alternate: true, idChars: 40 })).toEqual({ wire, notes: [] });
  });
});

describe('a server that wants short ids and plain names', () => {
  const ID = `functions.read:0|${'0'.repeat(60)}`;
  const NAME = 'shop.read file';
  const STRICT = { idChars: 40, names: true };

  it.each<[string, Format, unknown]>([
    [
      'chat',
      openaiChat,
      [
        user('go'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: ID, type: 'custom', custom: { name: NAME, input: 'x' } }],
        },
        { role: 'tool', tool_call_id: ID, content: 'r' },
      ],
    ],
    [
      'Anthropic',
      anthropic,
      [
        user('go'),
        said([{ type: 'tool_use', id: ID, name: NAME, input: { id: ID } }]),
        user([{ type: 'tool_result', tool_use_id: ID, content: 'r' }]),
      ],
    ],
    [
      'Responses',
      openaiResponses,
      {
        input: [
          user('go'),
          { type: 'function_call', call_id: ID, name: NAME, arguments: '{}' },
          { type: 'function_call_output', call_id: ID, output: 'r' },
          { type: 'shell_call', call_id: `${ID}s`, action: {} },
          {
            type: 'shell_call_output',
            call_id: `${ID}s`,
            output: [{ stdout: 'x', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
          },
        ],
      },
    ],
    [
      'Gemini',
      gemini,
      [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ functionCall: { id: ID, name: NAME, args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: ID, name: NAME, response: { output: 'r' } } }] },
      ],
    ],
    [
      'the AI SDK',
      aiSdk,
      [
        user('go'),
        said([
          { type: 'tool-call', toolCallId: ID, toolName: NAME, input: {} },
          { type: 'tool-approval-request', approvalId: 'p', toolCallId: ID },
        ]),
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: ID, toolName: NAME, output: { type: 'text', value: 'r' } }],
        },
      ],
    ],
    [
      'LangChain',
      langChain,
      [
        new HumanMessage('go'),
        new AIMessage({
          content: [{ type: 'tool_use', id: ID, name: NAME, input: {} }],
          tool_calls: [{ id: ID, name: NAME, args: {} }],
          additional_kwargs: { tool_calls: [{ id: ID, type: 'function', function: { name: NAME, arguments: '{}' } }] },
        }),
        new ToolMessage({ content: 'r', tool_call_id: ID, name: NAME }),
      ],
    ],
  ])('gets the same ones in call and result, for %s', (_name, format, wire) => {
    const { wire: strict, notes } = strictly(format, wire, STRICT);
    const text = JSON.stringify(strict).replace(`"input":{"id":${JSON.stringify(ID)}}`, '');
    expect(text).not.toContain('functions.read');
    expect(text).not.toContain(NAME);
    expect(text).toContain('"shop_read_file"');
    expect(notes.slice(0, 2)).toEqual([
      expect.stringMatching(/^1: the id of the call `functions\.read:0\|0+` became `call_[0-9a-f]{13}`$/),
      '1: the name of the tool `shop.read file` became `shop_read_file`',
    ]);
    const decoded = format.decode(strict);
    expect([decoded.notes, format.check(decoded.conversation)]).toEqual([[], []]);
  });

  it('gets ids of the length that it takes', () => {
    const call = { id: ID, type: 'function', function: { name: '工具', arguments: '{}' } };
    const wire = [user('go'), { role: 'assistant', content: null, tool_calls: [call] }];
    const text = JSON.stringify(strictly(openaiChat, wire, { idChars: 9, names: true }).wire);
    expect(text).toMatch(/"id":"[0-9a-f]{9}"/);
    expect(text).toMatch(/"name":"tool_[0-9a-f]{13}"/);
  });

  it('is refused when its ids are too short to tell calls apart', () => {
    for (const idChars of [7, 0, 8.5, Number.NaN])
      expect(() => strictly(openaiChat, [user('go')], { idChars })).toThrow(
        'Expected `idChars` to be an integer of 8 or more',
      );
  });

  it('is told about a conversation that breaks a rule of its format', () => {
    const { conversation } = openaiChat.decode([user('go')]);
    const broken = { ...conversation, messages: [{ role: 'user' as const, parts: [] }] };
    expect(() => encodeStrictly(openaiChat, broken, {})).toThrow('the conversation breaks CHAT-4');
  });
});
