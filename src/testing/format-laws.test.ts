import {
  AIMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import type { Format } from '../core/format.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from '../formats/index.ts';
import { formatLaws } from './format-laws.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const call = (id: string, name: string, text: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

const chatSamples: readonly unknown[] = [
  [
    { role: 'user', content: 'Which port does the gateway use?' },
    { role: 'assistant', content: '8443.' },
  ],
  {
    model: 'any-model',
    temperature: 0.2,
    tools: [{ type: 'function', function: { name: 'read', parameters: {} } }],
    messages: [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
      { role: 'user', name: 'ana', content: [{ type: 'text', text: 'Compare both files.' }] },
      {
        role: 'assistant',
        content: 'Reading both.',
        reasoning_content: 'Two independent reads: do them at once.',
        annotations: [],
        tool_calls: [call('c1', 'read', '{ "path": "a.txt" }'), call('c2', 'read', 'not json')],
      },
      { role: 'tool', tool_call_id: 'c2', name: 'read', content: 'beta' },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'alpha' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'They differ.' }] },
    ],
  },
  [
    { role: 'system', content: 'You look at pictures.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'high' } },
        { type: 'image_url', image_url: { url: 'https://example.test/cat.jpg' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'file', file: { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
        { type: 'hologram', depth: [[[1]]] },
      ],
    },
    { role: 'assistant', content: null, refusal: 'I would rather not.' },
    { role: 'user', content: 'Try again.' },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'Still no.' }] },
  ],
  [
    { role: 'user', content: 'Run it.' },
    { role: 'assistant', tool_calls: [{ id: 'x', type: 'custom', custom: { name: 'shell', input: 'ls' } }] },
    { role: 'tool', tool_call_id: 'x', content: '' },
    { role: 'system', content: 'The clock struck noon.' },
    {
      role: 'assistant',
      content: '',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'zzz' }],
      tool_calls: [call('x', 'shell', '{}')],
    },
    { role: 'tool', tool_call_id: 'x', content: 'lone \ud800 surrogate' },
    { role: 'assistant', content: null, tool_calls: [call('y', 'shell', '{}'), call('z', 'shell', '{}')] },
    { role: 'tool', tool_call_id: 'z', content: 'half of the batch' },
  ],
  [
    { role: 'user', content: 'What is the weather?' },
    { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } },
    { role: 'function', name: 'weather', content: 'rain' },
    { role: 'assistant', content: 'Rain in Oslo.' },
  ],
];

const use = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input });
const marker = { type: 'ephemeral' };

const anthropicSamples: readonly unknown[] = [
  [
    { role: 'user', content: 'Which port does the gateway use?' },
    { role: 'assistant', content: '8443.' },
  ],
  {
    model: 'any-model',
    max_tokens: 1000,
    system: 'You are careful.',
    tools: [{ name: 'read', input_schema: { type: 'object' }, cache_control: marker }],
    messages: [
      { role: 'user', content: 'Compare both files.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two independent reads.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'eHl6' },
          { type: 'text', text: 'Reading both.', cache_control: marker },
          use('t1', 'read', { path: 'a.txt', 2: 'b', 1: 'a' }),
          use('t2', 'read', {}),
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't2',
            content: [
              { type: 'text', text: 'beta' },
              { type: 'tool_reference', tool_name: 'x' },
            ],
          },
          { type: 'tool_result', tool_use_id: 't1', content: 'no such file', is_error: true, cache_control: marker },
        ],
      },
      { role: 'assistant', content: [use('t1', 'read', { path: 'c.txt' })] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1' },
          { type: 'text', text: 'Also look at the picture.', cache_control: marker },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          { type: 'document', title: 'Plan', source: { type: 'text', media_type: 'text/plain', data: 'first this' } },
        ],
      },
      { role: 'assistant', content: 'Seen.' },
    ],
  },
  {
    system: [
      { type: 'text', text: 'Part one.' },
      { type: 'text', text: 'Part two.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
    messages: [
      { role: 'user', content: 'Go on.' },
      { role: 'system', content: 'A new tool is there.', clear_at: 'next_user_message' },
      { role: 'system', output_config: { effort: 'low' } },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'ports' } },
          { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
          { type: 'text', text: 'Found it.', citations: [{ cited_text: 'x' }] },
          use('t9', 'open', { port: 8443 }),
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't9', content: 'open' }] },
      { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] },
      { role: 'assistant', content: [use('u1', 'open', {}), use('u2', 'open', {})] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'half of the batch' }] },
    ],
  },
];

const responsesSamples: readonly unknown[] = [
  {
    model: 'any-model',
    instructions: 'You are careful.',
    store: false,
    input: [
      { role: 'user', content: 'Compare both files.' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Two reads.' }],
        encrypted_content: 'q',
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'Reading both.', annotations: [] },
          { type: 'output_text', text: 'At once.', annotations: [] },
        ],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{ "path": "a.txt" }' },
      { type: 'custom_tool_call', id: 'ct_1', call_id: 'c2', name: 'shell', input: 'cat b.txt' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'beta' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'alpha' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'high' },
        ],
      },
      { type: 'message', role: 'assistant', content: 'They differ.' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not change them.' }] },
    ],
  },
  [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
    { type: 'additional_tools', tools: [] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?', prompt_cache_breakpoint: {} },
        { type: 'input_image', file_id: 'file_1' },
        { type: 'input_file', filename: 'plan.pdf', file_data: 'data:application/pdf;base64,AAAA' },
        { type: 'hologram', depth: [[[1]]] },
      ],
    },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'reasoning', id: 'rs_2', summary: [] },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'ports' } },
    { type: 'reasoning', id: 'rs_3', summary: [] },
    { type: 'local_shell_call', id: 'ls_1', call_id: 's1', action: { type: 'exec', command: ['ls'] } },
    { type: 'function_call_output', call_id: 's1', output: 'a.txt' },
    { type: 'shell_call', call_id: 's2', action: { commands: ['ls'] } },
    { type: 'shell_call_output', call_id: 's2', output: [{ stdout: 'a.txt', stderr: '' }] },
    { type: 'function_call', call_id: null, name: 'lost', arguments: '{}' },
    { type: 'tomorrow', id: 't_1' },
    { role: 'user', content: 'And now?' },
    { type: 'function_call', call_id: 'y', name: 'read', arguments: '{}' },
    { type: 'function_call', call_id: 'z', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'z', output: 'half of the batch' },
  ],
  { input: 'Which port does the gateway use?' },
];

const geminiSamples: readonly unknown[] = [
  [
    { role: 'user', parts: [{ text: 'Which port?' }] },
    { role: 'model', parts: [{ text: '8443.' }] },
  ],
  {
    systemInstruction: { parts: [{ text: 'You are careful.' }, { text: 'And brief.' }] },
    tools: [{ functionDeclarations: [] }],
    contents: [
      { parts: [{ text: 'Compare both files.' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }] },
      {
        role: 'model',
        parts: [
          { text: 'Two reads.', thought: true },
          { text: 'Reading both.', thoughtSignature: 'c2ln' },
          { functionCall: { name: 'read', args: { path: 'a.txt' } }, thoughtSignature: 'c2ln' },
          { functionCall: { name: 'read', args: { path: 'b.txt' } } },
          { text: '', thoughtSignature: 'c2ln' },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'read', response: { output: 'alpha' } } },
          {
            functionResponse: {
              name: 'read',
              response: { error: 'no such file' },
              parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }],
            },
          },
          { text: 'Mind the second one.' },
        ],
      },
      { role: 'model', parts: [{ executableCode: { language: 'PYTHON', code: '1' } }, { text: 'They differ.' }] },
      { role: 'user', parts: [{ fileData: { mimeType: 'video/mp4', fileUri: 'gs://a/b' } }, { text: 'And this?' }] },
      { role: 'model', parts: [{ functionCall: { id: 'x', name: 'look' } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'look', response: { a: 'one', b: [1] } } }] },
      { role: 'model', parts: [{ functionCall: { name: 'look' } }, { functionCall: { name: 'read' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] },
    ],
  },
  {
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }, { inline_data: { mime_type: 'image/png', data: PIXEL } }] },
      { role: 'model', parts: [{ function_call: { name: 'look', args: {} }, thought_signature: 'c2ln' }] },
      { role: 'function', parts: [{ function_response: { name: 'look', response: { result: 'a cat' } } }] },
      { role: 'model', parts: [{ text: 'A cat.' }] },
      { role: 'model', parts: [{ text: 'Asleep.' }] },
    ],
  },
];

const toolCall = (id: string, input: unknown = {}): object => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'read',
  input,
});
const toolResult = (id: string, output: object): object => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read',
  output,
});

const aiSdkSamples: readonly unknown[] = [
  [
    { role: 'user', content: 'Which port does the gateway use?' },
    { role: 'assistant', content: '8443.' },
  ],
  {
    temperature: 0.2,
    system: 'Be brief.',
    messages: [
      { role: 'system', content: 'You are careful.', providerOptions: { anthropic: { cacheControl: marker } } },
      { role: 'user', content: [{ type: 'text', text: 'Compare both files.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Two reads.', providerOptions: { anthropic: { signature: 'c2ln' } } },
          { type: 'text', text: 'Reading both.' },
          toolCall('a', { path: 'a.txt' }),
          toolCall('b', 'not json'),
          { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 'b' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p1', approved: true }] },
      {
        role: 'tool',
        content: [
          toolResult('b', { type: 'json', value: { lines: ['beta'] } }),
          toolResult('a', { type: 'content', value: [{ type: 'text', text: 'alpha' }, { type: 'custom' }] }),
        ],
      },
      { role: 'assistant', content: [toolCall('a')] },
      { role: 'tool', content: [toolResult('a', { type: 'error-text', value: 'no such file' })] },
      { role: 'assistant', content: 'They differ.' },
    ],
  },
  [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?', providerOptions: { x: { y: 1 } } },
        { type: 'image', image: Uint8Array.from([1, 2, 3]) },
        { type: 'image', image: new URL('https://example.test/cat.jpg') },
        { type: 'file', data: Buffer.from('abc'), mediaType: 'application/pdf' },
        { type: 'file', data: { type: 'reference', reference: { openai: 'f' } }, mediaType: 'image/png' },
        { type: 'hologram', depth: new Uint8Array(4) },
      ],
    },
    {
      role: 'assistant',
      content: [
        { ...toolCall('s1'), providerExecuted: true },
        toolResult('s1', { type: 'json', value: [] }),
        { type: 'text', text: 'A cat.' },
        { type: 'custom', kind: 'openai.thing' },
        toolCall('u1'),
        toolCall('u2'),
      ],
    },
    { role: 'tool', content: [toolResult('u1', { type: 'text', value: 'half of the batch' })] },
  ],
];

const langChainMessages = [
  new SystemMessage('You are careful.'),
  new HumanMessage({ content: [{ type: 'text', text: 'Compare both files.', cache_control: marker }], id: 'h1' }),
  new AIMessage({
    id: 'a1',
    content: [
      { type: 'thinking', thinking: 'Two reads.', signature: 'c2ln' },
      { type: 'text', text: 'Reading both.' },
      { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.txt' } },
    ],
    tool_calls: [{ id: 't1', name: 'read', args: { path: 'a.txt' } }],
  }),
  new ToolMessage({ content: 'no such file', tool_call_id: 't1', name: 'read', status: 'error', artifact: [1] }),
  new AIMessage({
    id: 'a2',
    content: 'Then the other.',
    tool_calls: [{ id: 't1', name: 'read', args: {} }],
    invalid_tool_calls: [{ id: 't2', name: 'read', args: '{"half', error: 'no' }],
    additional_kwargs: {
      reasoning_content: 'One more.',
      tool_calls: [{ id: 't2', type: 'function', function: { name: 'read', arguments: '{"half' } }],
    },
  }),
  new ToolMessage({ content: [{ type: 'text', text: 'beta' }, { type: 'hologram' }], tool_call_id: 't2' }),
  new ToolMessage({ content: '', tool_call_id: 't1' }),
  new HumanMessage({
    content: [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
      { type: 'file', data: 'AAAA', mimeType: 'application/pdf' },
    ],
  }),
  new AIMessage('Seen.'),
];

const langChainSamples: readonly unknown[] = [
  langChainMessages,
  { messages: langChainMessages, step: 4 },
  mapChatMessagesToStoredMessages(langChainMessages),
  JSON.parse(JSON.stringify(langChainMessages)),
];

const cases: readonly (readonly [Format, readonly unknown[]])[] = [
  [openaiChat, chatSamples],
  [anthropic, anthropicSamples],
  [openaiResponses, responsesSamples],
  [gemini, geminiSamples],
  [aiSdk, aiSdkSamples],
  [langChain, langChainSamples],
];

for (const [format, samples] of cases) {
  describe(`the laws of ${format.title}`, () => {
    for (const law of formatLaws(format, samples)) it(law.name, () => law.run());
  });
}

describe('formatLaws', () => {
  it('finds a format that rebuilds messages', () => {
    const copying: Format = {
      ...openaiChat,
      encode: (conversation) => structuredClone(openaiChat.encode(conversation)),
    };
    const broken = formatLaws(copying, chatSamples).filter((law) => {
      try {
        law.run();
        return false;
      } catch {
        return true;
      }
    });
    expect(broken.map((law) => law.name)).toContain(
      'openai-chat, sample 0: encoding an unedited conversation gives back the wire value itself',
    );
  });
});
