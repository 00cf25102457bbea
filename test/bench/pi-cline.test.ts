import { describe, expect, it } from 'vitest';
import { clineMessages, mergeResults, wireOfCline } from '../../bench/peers/arms/cline-messages.ts';
import { piMessages, piModel, wireOfPi } from '../../bench/peers/arms/pi-messages.ts';
import type { WireMessage } from '../../bench/peers/types.ts';

const SESSION: readonly WireMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Fix the build.' },
  {
    role: 'assistant',
    content: 'Both at once.',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x.ts"}' } },
      { id: 'b', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'a', content: 'const x = 1;' },
  { role: 'tool', tool_call_id: 'b', content: '' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'ok' },
  { role: 'assistant', content: 'It builds.' },
  { role: 'user', content: 'Thanks.' },
];

const MODEL = piModel({
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKey: 'k',
  modelId: 'scripted',
  window: 200_000,
  maxOutput: 8192,
});

describe('messages of cline', () => {
  it('come back as they were, without the system message, which cline keeps elsewhere', () => {
    const messages = clineMessages(SESSION, { from: 0, ts: 1 });
    expect(wireOfCline(messages)).toEqual(SESSION.slice(1));
    expect(wireOfCline(mergeResults(messages))).toEqual(SESSION.slice(1));
  });

  it('hold a result each until a request is made, and keep numbering after what was there', () => {
    const messages = clineMessages(SESSION, { from: 10, ts: 1 });
    expect(messages.map(({ id }) => id)).toEqual([11, 12, 13, 14, 15, 16, 17, 18].map((number) => `msg_${number}`));
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', name: 'read', content: 'const x = 1;' },
    ]);
    expect(mergeResults(messages).map(({ content }) => content.length)).toEqual([1, 3, 2, 1, 1, 1, 1]);
  });

  it('give results before the words of the same message', () => {
    const content = [
      { type: 'text' as const, text: 'Go on.' },
      { type: 'tool_result' as const, tool_use_id: 'a', content: [{ type: 'text', text: 'x' }] },
    ];
    expect(wireOfCline([{ role: 'user', content }])).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      { role: 'user', content: 'Go on.' },
    ]);
  });
});

describe('messages of pi', () => {
  it('keep texts, calls and ids', () => {
    const messages = piMessages(SESSION, MODEL, 1);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'toolResult',
      'toolResult',
      'assistant',
      'toolResult',
      'assistant',
      'user',
    ]);
    expect(messages[2]).toMatchObject({
      stopReason: 'toolUse',
      content: [
        { type: 'text', text: 'Both at once.' },
        { type: 'toolCall', id: 'a', name: 'read', arguments: { path: 'x.ts' } },
        { type: 'toolCall', id: 'b', name: 'bash', arguments: { command: 'make' } },
      ],
    });
    expect(messages[4]).toMatchObject({ toolCallId: 'b', toolName: 'bash', content: [] });
    expect(messages[7]).toMatchObject({ stopReason: 'stop', content: [{ type: 'text', text: 'It builds.' }] });
  });

  it('take arguments that are no object for none, as the clients do', () => {
    const call = (text: string) => ({ id: 'a', type: 'function', function: { name: 'x', arguments: text } }) as const;
    const calls = ['{"a', '[1]', 'null', '{"a":1}'].map(call);
    const [message] = piMessages([{ role: 'assistant', content: null, tool_calls: calls }], MODEL, 1);
    expect(message?.content).toMatchObject([{}, {}, {}, { a: 1 }].map((value) => ({ arguments: value })));
  });

  it('are sent with their parts as one text', () => {
    const part = (text: string) => ({ type: 'text', text }) as const;
    expect(wireOfPi([{ role: 'user', content: [part('a'), part('b')] }, { role: 'assistant' }])).toEqual([
      { role: 'user', content: 'ab' },
      { role: 'assistant', content: null },
    ]);
  });
});
