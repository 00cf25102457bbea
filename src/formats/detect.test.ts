import { ChatMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { detectFormat, formatById } from './detect.ts';

const plain = [{ role: 'user', content: 'hi' }];

describe('detectFormat', () => {
  it.each([
    ['openai-chat', plain],
    ['openai-chat', { messages: plain, model: 'm' }],
    ['openai-chat', [{ role: 'developer', content: 'x' }]],
    ['openai-chat', [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }]],
    ['openai-chat', [{ role: 'assistant', tool_calls: [] }]],
    ['openai-chat', [...plain, { role: 'robot', content: 'x' }]],
    ['anthropic', { system: 'x', messages: plain }],
    ['anthropic', [{ role: 'assistant', content: [{ type: 'tool_use' }] }]],
    ['anthropic', [{ role: 'user', content: [{ type: 'tool_result' }] }]],
    ['openai-responses', { input: plain, model: 'm' }],
    ['openai-responses', { input: 'hi' }],
    ['openai-responses', [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }]],
    ['openai-responses', [{ role: 'developer', content: [{ type: 'input_text', text: 'x' }] }, ...plain]],
    ['openai-chat', { messages: plain, input: 'x', contents: [] }],
    ['openai-chat', [{ type: 'message', role: 'user', content: 'x' }]],
    ['gemini', [{ role: 'user', parts: [{ text: 'hi' }] }]],
    ['gemini', { contents: [{ parts: [{ text: 'hi' }] }] }],
    ['gemini', [{ role: 'model', parts: [{ function_call: { name: 'f' } }] }]],
    ['anthropic', { system: 'x', messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] }],
    ['anthropic', [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] }]],
    ['anthropic', [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }]],
    // Parts of text are legal in three formats.
    ['openai-chat', [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]],
    ['openai-chat', [{ role: 'user', content: [{ type: 'file', file: { file_data: 'x' } }] }]],
    ['openai-chat', [...plain, { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x' }] }]],
    ['ai-sdk', [...plain, { role: 'assistant', content: [{ type: 'tool-call' }] }]],
    ['ai-sdk', [...plain, { role: 'tool', content: [{ type: 'tool-result' }] }]],
    ['ai-sdk', { system: 'x', messages: [...plain, { role: 'tool', content: [{ type: 'tool-result' }] }] }],
    ['ai-sdk', [{ role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }]],
    ['ai-sdk', [{ role: 'user', content: [{ type: 'image', image: 'x' }] }]],
    ['ai-sdk', [{ role: 'user', content: [{ type: 'file', data: 'x', mediaType: 'image/png' }] }]],
    ['ai-sdk', [{ role: 'user', content: 'hi', providerOptions: {} }]],
    ['langchain', [{ type: 'human', data: { content: 'hi' } }]],
    ['langchain', [{ type: 'generic', data: { content: 'hi', role: 'user' } }]],
    ['langchain', { messages: [{ lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: { content: 'hi' } }] }],
    ['langchain', [new HumanMessage('hi'), new ChatMessage('hi', 'user')]],
  ])('%s: %j', (id, wire) => {
    expect(detectFormat(wire)?.id).toBe(id);
  });

  it('gives null for what no format knows', () => {
    for (const wire of [
      null,
      'x',
      4,
      [],
      {},
      { messages: 4 },
      [{ from: 'human', value: 'x' }],
      [{ type: 'event', data: { a: 1 } }],
    ])
      expect(detectFormat(wire)).toBeNull();
  });

  it('finds formats by id', () => {
    expect(formatById('anthropic')?.title).toBe('Anthropic Messages');
    expect(formatById('morse')).toBeNull();
  });
});
