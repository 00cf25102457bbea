import { describe, expect, it } from 'vitest';
import { encodeWith } from '../../test/formats/codec.ts';
import { append, withMessages } from '../core/conversation/conversation.ts';
import { type Message, withParts } from '../core/conversation/message.ts';
import type { Format } from '../core/format.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from './index.ts';

/** Nothing here would be sound if the server had nothing: an answer without its call stands first, and a message is empty. */
const LISTS: Readonly<Record<string, readonly object[]>> = {
  anthropic: [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] },
    { role: 'assistant', content: '' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'tool_result', tool_use_id: 'b' },
      ],
    },
  ],
  responses: [
    { type: 'function_call_output', call_id: 'a', output: 'done' },
    { type: 'function_call_output', call_id: 'b', output: null },
    { role: 'assistant', content: '' },
    { type: 'reasoning', id: 'rs', summary: [] },
    { role: 'assistant', content: [] },
    { role: 'user', content: '' },
    { type: 'function_call', call_id: 'c', name: 'go', arguments: '{}' },
    { type: 'function_call', call_id: 'c', name: 'go', arguments: '{}' },
    { role: 'user', content: 'and?' },
  ],
  gemini: [
    { role: 'model', parts: [{ text: '' }] },
    { role: 'user', parts: [{ text: 'x' }, { functionResponse: { name: 'go', response: 'done' } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'go', response: { output: 'again' } } }] },
    { role: 'model', parts: [{ functionCall: { name: 'stop' } }] },
    { role: 'user', parts: [] },
  ],
  aiSdk: [
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'go', output: { type: 'text', value: 'x' } }],
    },
    { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'p', toolCallId: 'gone' }] },
    { role: 'user', content: '' },
  ],
  langChain: [
    { type: 'tool', data: { content: 'done', tool_call_id: 'a' } },
    { type: 'ai', data: { content: '', tool_calls: [] } },
    { type: 'human', data: { content: 'and?' } },
  ],
};

const ANTHROPIC = { messages: LISTS['anthropic'] };
const RESPONSES = { input: LISTS['responses'] };
const GEMINI = { contents: LISTS['gemini'] };
const AI_SDK = { messages: LISTS['aiSdk'] };
const LANGCHAIN = { messages: LISTS['langChain'] };
const summary = { type: 'compaction', content: 'Earlier: set up.' };
const custom = { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction' } } };
const words = { type: 'text', text: 'Earlier.', providerOptions: { anthropic: { type: 'compaction' } } };

/** The name of what makes a server keep the history, and a request that has it. */
const KEPT: readonly (readonly [Format, string, unknown])[] = [
  [anthropic, 'thread', { ...ANTHROPIC, thread: 'th_1' }],
  [anthropic, 'context_management', { ...ANTHROPIC, context_management: { edits: [] } }],
  [anthropic, 'compaction', { ...ANTHROPIC, compaction: { type: 'summarize' }, system: [{ type: 'text', text: '' }] }],
  [anthropic, 'compaction', { messages: [{ role: 'assistant', content: [summary] }, ...(LISTS['anthropic'] ?? [])] }],
  [
    anthropic,
    'compaction',
    [
      { role: 'assistant', content: [summary] },
      { role: 'user', content: 'Go on.' },
    ],
  ],
  [
    openaiResponses,
    'previous_response_id',
    { ...RESPONSES, previous_response_id: 'resp_1', instructions: 'Be brief.' },
  ],
  [openaiResponses, 'conversation', { ...RESPONSES, conversation: { id: 'conv_1' } }],
  [openaiResponses, 'context_management', { ...RESPONSES, context_management: [{ type: 'compaction' }] }],
  [
    openaiResponses,
    'compaction',
    [{ type: 'compaction', id: 'c', encrypted_content: 'q' }, ...(LISTS['responses'] ?? [])],
  ],
  [
    openaiResponses,
    'item_reference',
    { input: [...(LISTS['responses'] ?? []), { type: 'item_reference', id: 'fc_1' }] },
  ],
  [openaiResponses, 'item_reference', [{ role: 'user', content: 'go' }, { id: 'fc_1' }]],
  [openaiResponses, 'previous_response_id', { input: 'and now?', previous_response_id: 'resp_1' }],
  [gemini, 'cachedContent', { ...GEMINI, cachedContent: 'cachedContents/1' }],
  [gemini, 'cached_content', { ...GEMINI, cached_content: 'cachedContents/1' }],
  [gemini, 'config.cachedContent', { ...GEMINI, config: { cachedContent: 'cachedContents/1' } }],
  [
    aiSdk,
    'providerOptions.openai.previousResponseId',
    { ...AI_SDK, providerOptions: { openai: { previousResponseId: 'r' } } },
  ],
  [aiSdk, 'providerOptions.azure.conversation', { ...AI_SDK, providerOptions: { azure: { conversation: 'c' } } }],
  [aiSdk, 'providerOptions.google.cachedContent', { ...AI_SDK, providerOptions: { google: { cachedContent: 'c' } } }],
  [aiSdk, 'compaction', [{ role: 'assistant', content: [custom] }, ...(LISTS['aiSdk'] ?? [])]],
  [aiSdk, 'compaction', [{ role: 'assistant', content: [words] }, ...(LISTS['aiSdk'] ?? [])]],
  [langChain, 'previous_response_id', { ...LANGCHAIN, previous_response_id: 'resp_1' }],
  [langChain, 'compaction', [{ type: 'ai', data: { content: [summary] } }, ...(LISTS['langChain'] ?? [])]],
];

describe('a history that a server keeps', () => {
  for (const [format, server, wire] of KEPT)
    it(`is named, read as it is and given back, for ${format.title} with ${server}`, () => {
      const { conversation, notes } = format.decode(wire);
      expect(notes).toEqual([]);
      expect(format.surroundings(conversation).server).toBe(server);
      expect(encodeWith(format, conversation)).toBe(wire);
      const next: Message = { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] };
      expect(format.check(append(conversation, [next]))).toEqual([]);
    });

  for (const [format, server, wire] of KEPT) {
    const { conversation } = format.decode(wire);
    const { messages } = conversation;
    // A text is no list: nobody can shorten it message by message.
    if (messages.length < 2) continue;
    it(`is not edited, for ${format.title} with ${server}`, () => {
      const first = messages.findIndex((message) => message.role !== 'system');
      const shorter = withMessages(conversation, messages.toSpliced(first, 1));
      const [issue, ...others] = format.check(shorter);
      expect([issue?.text, others]).toEqual([expect.stringContaining('keeps the history on the server'), []]);
      const edited = messages.map((message, at) =>
        at === messages.length - 1 ? withParts(message, [{ type: 'text', text: 'shorter' }]) : message,
      );
      expect(format.check(withMessages(conversation, edited))).toHaveLength(1);
    });
  }
});

describe('a history that the request holds', () => {
  it('is not taken for one on a server', () => {
    const requests: readonly (readonly [Format, unknown])[] = [
      [openaiChat, { messages: [{ role: 'user', content: 'hi' }], store: true }],
      [
        anthropic,
        { messages: [{ role: 'user', content: 'hi' }], container: 'c_1', thread: null, compaction: undefined },
      ],
      [openaiResponses, { input: [{ role: 'user', content: 'hi' }], previous_response_id: null, store: true }],
      [gemini, { contents: [{ parts: [{ text: 'hi' }] }], cachedContent: '', config: {} }],
      [
        aiSdk,
        { messages: [{ role: 'user', content: 'hi' }], providerOptions: { openai: { compactionTrigger: false } } },
      ],
      [langChain, { messages: [{ type: 'human', data: { content: 'hi' } }], previous_response_id: null }],
    ];
    for (const [format, wire] of requests)
      expect(format.surroundings(format.decode(wire).conversation).server).toBeNull();
  });
});
