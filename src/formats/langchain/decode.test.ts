import {
  AIMessage,
  ChatMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../core/conversation/message.ts';
import type { PrecisError } from '../../core/errors.ts';
import { langChain } from './index.ts';

const human = new HumanMessage({ content: 'go', id: 'h' });
const call = (id: string): { id: string; name: string; args: object; type: 'tool_call' } => ({
  id,
  name: 'run',
  args: { a: 1 },
  type: 'tool_call',
});
const partsOf = (message: unknown): readonly Part[] =>
  langChain.decode([human, message]).conversation.messages[1]?.parts ?? [];
const answered = (message: unknown, ...ids: readonly string[]): readonly Part[] => {
  const results = ids.map((id) => new ToolMessage({ content: 'ok', tool_call_id: id }));
  const { conversation, notes } = langChain.decode([human, message, ...results]);
  expect(notes).toEqual([]);
  expect(langChain.check(conversation)).toEqual([]);
  return conversation.messages[1]?.parts ?? [];
};

describe('decoding messages of LangChain', () => {
  it('knows the roles of every class', () => {
    const { conversation } = langChain.decode([
      new SystemMessage('rules'),
      human,
      new AIMessage({ content: '', tool_calls: [call('a')] }),
      new ToolMessage({ content: 'bad', tool_call_id: 'a', status: 'error' }),
      new ChatMessage('hello', 'user'),
    ]);
    expect(conversation.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    expect(conversation.messages[3]?.parts).toMatchObject([{ type: 'tool-result', callId: 'a', isError: true }]);
  });

  it('reads a call once, at the place of its block', () => {
    const message = new AIMessage({
      content: [
        { type: 'text', text: 'one' },
        { type: 'tool_use', id: 'a', name: 'run', input: { a: 1 } },
        { type: 'text', text: 'two' },
      ],
      tool_calls: [call('b'), call('a')],
    });
    expect(answered(message, 'a', 'b').map((part) => ('callId' in part ? part.callId : part.type))).toEqual([
      'text',
      'a',
      'text',
      'b',
    ]);
  });

  it('pairs an invalid call that a provider would be sent, or that was answered, and no other', () => {
    const invalid = { id: 'x', name: 'run', args: '{"half', error: 'no', type: 'invalid_tool_call' as const };
    const copy = { id: 'x', type: 'function' as const, function: { name: 'run', arguments: '{"half' } };
    const alone = new AIMessage({ content: 'hm', invalid_tool_calls: [invalid] });
    expect(partsOf(alone)).toMatchObject([{ type: 'text' }]);
    expect(answered(alone, 'x')).toMatchObject([{ type: 'text' }, { type: 'tool-call', arguments: '{"half' }]);
    const sent = {
      type: 'ai',
      data: { content: 'hm', tool_calls: [], invalid_tool_calls: [invalid], additional_kwargs: { tool_calls: [copy] } },
    };
    const { notes } = langChain.decode([...mapChatMessagesToStoredMessages([human]), sent, human]);
    expect(notes).toEqual([{ message: 1, text: 'tool call `x` has no result and was removed' }]);
  });

  it('reads calls that older versions stored in one place only', () => {
    const copy = { id: 'x', type: 'function', function: { name: 'run', arguments: '{ "a": 1 }' } };
    const stored = { type: 'ai', data: { content: '', additional_kwargs: { tool_calls: [copy] } } };
    expect(answered(stored, 'x')).toMatchObject([{ name: 'run', arguments: '{ "a": 1 }' }]);
  });

  it('reads reasoning wherever an integration puts it', () => {
    const blocks = partsOf(
      new AIMessage({
        content: [
          { type: 'thinking', thinking: 'a', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'reasoning', reasoning: 'b' },
          { type: 'reasoning_content', reasoningText: { text: 'c', signature: 's' } },
          { type: 'text', text: 'x' },
        ],
      }),
    );
    expect(blocks.map((part) => (part.type === 'reasoning' ? [part.text, part.bound] : []))).toEqual([
      ['a', true],
      ['', true],
      ['b', false],
      ['c', true],
      [],
    ]);
    const beside = { reasoning: { id: 'rs', summary: [{ type: 'summary_text', text: 'd' }] } };
    expect(partsOf(new AIMessage({ content: 'x', additional_kwargs: beside }))).toMatchObject([
      { type: 'reasoning', text: 'd', bound: false },
      { type: 'text' },
    ]);
  });

  it('reads images and files of every dialect', () => {
    const data = 'data:image/png;base64,AAAA';
    expect(
      partsOf(
        new HumanMessage({
          content: [
            { type: 'image_url', image_url: { url: data, detail: 'low' } },
            { type: 'image_url', image_url: 'https://shop.example/a.png' },
            { type: 'image', url: 'https://shop.example/b.png' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'image', source_type: 'base64', mime_type: 'image/gif', data: 'AAAA' },
            { type: 'file', data: 'AAAA', mimeType: 'application/pdf', metadata: { filename: 'a.pdf' } },
            { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
            { type: 'hologram' },
          ],
        }),
      ),
    ).toMatchObject([
      { type: 'image', mediaType: 'image/png', detail: 'low' },
      { type: 'image', url: 'https://shop.example/a.png' },
      { type: 'image', url: 'https://shop.example/b.png' },
      { type: 'image', mediaType: 'image/png' },
      { type: 'image', mediaType: 'image/gif' },
      { type: 'file', bytes: 3, name: 'a.pdf' },
      { type: 'file', mediaType: 'audio/wav' },
      { type: 'opaque', kind: 'hologram' },
    ]);
  });

  it.each<[string, unknown]>([
    ['message 2: expected `type` to be one of human, ai', new RemoveMessage({ id: 'x' })],
    ['message 2: expected `type` to be one of human, ai', { type: 'robot', data: { content: 'x' } }],
    ['message 2: expected `role` to be one of system, user', new ChatMessage('x', 'critic')],
    ['message 2: expected a message of LangChain', { role: 'user', content: 'x' }],
    ['message 2: expected `tool_call_id`', { type: 'tool', data: { content: 'x' } }],
    ['message 2: expected `tool_calls[0].id`', { type: 'ai', data: { content: '', tool_calls: [{ name: 'x' }] } }],
    ['message 2: expected `tool_calls` to be an array', { type: 'ai', data: { content: '', tool_calls: 'x' } }],
    ['message 2: expected `content` to be a string or an array', { type: 'human', data: { content: 5 } }],
    ['message 2: expected `content[0].type`', { type: 'human', data: { content: [{}] } }],
  ])('names message and field: %s', (sentence, message) => {
    let error: PrecisError | null = null;
    try {
      langChain.decode([human, message]);
    } catch (thrown) {
      error = thrown as PrecisError;
    }
    expect(error?.message).toContain(sentence);
    expect(error?.data['message']).toBe(1);
  });
});
