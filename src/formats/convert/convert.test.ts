import { describe, expect, it } from 'vitest';
import { compact } from '../../core/compact.ts';
import type { Format } from '../../core/format.ts';
import { build } from '../../testing/build/build.ts';
import { convert, formatById, formats } from '../index.ts';

const format = (id: string): Format => formatById(id) as Format;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk';

const converted = (from: string, to: string, wire: unknown): { wire: unknown; losses: readonly string[] } => {
  const { conversation } = format(from).decode(wire);
  const result = convert(conversation, format(to));
  expect(format(to).check(result.conversation)).toEqual([]);
  return { wire: result.wire, losses: result.losses.map(({ message, text }) => `${message}: ${text}`) };
};

const chat = build()
  .system('Be careful.')
  .user('Read it.')
  .reasoning('One read.')
  .assistant('Reading.')
  .call('read', { path: 'a.ts' })
  .call('read', { path: 'b.ts' })
  .result('alpha')
  .result('beta')
  .assistant('Done.')
  .done();

const call = (id: string, text: string): object => ({
  id,
  type: 'function',
  function: { name: 'run', arguments: text },
});

describe('convert', () => {
  it('writes OpenAI chat as Anthropic messages', () => {
    expect(converted('openai-chat', 'anthropic', chat)).toEqual({
      wire: {
        system: 'Be careful.',
        messages: [
          { role: 'user', content: 'Read it.' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Reading.' },
              { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a.ts' } },
              { type: 'tool_use', id: 'call_2', name: 'read', input: { path: 'b.ts' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_1', content: 'alpha' },
              { type: 'tool_result', tool_use_id: 'call_2', content: 'beta' },
            ],
          },
          { role: 'assistant', content: 'Done.' },
        ],
      },
      losses: ['2: Anthropic takes no reasoning but its own, signed; it is left out'],
    });
  });

  it('writes OpenAI chat as items of OpenAI Responses', () => {
    expect(converted('openai-chat', 'openai-responses', chat)).toEqual({
      wire: [
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be careful.' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read it.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
        { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a.ts"}' },
        { type: 'function_call', call_id: 'call_2', name: 'read', arguments: '{"path":"b.ts"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'alpha' },
        { type: 'function_call_output', call_id: 'call_2', output: 'beta' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
      ],
      losses: ['2: OpenAI Responses takes no reasoning but its own, with its id; it is left out'],
    });
  });

  it('writes OpenAI chat as contents of Gemini', () => {
    expect(converted('openai-chat', 'gemini', chat)).toEqual({
      wire: {
        systemInstruction: { parts: [{ text: 'Be careful.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Read it.' }] },
          {
            role: 'model',
            parts: [
              { text: 'One read.', thought: true },
              { text: 'Reading.' },
              { functionCall: { id: 'call_1', name: 'read', args: { path: 'a.ts' } } },
              { functionCall: { id: 'call_2', name: 'read', args: { path: 'b.ts' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'call_1', name: 'read', response: { output: 'alpha' } } },
              { functionResponse: { id: 'call_2', name: 'read', response: { output: 'beta' } } },
            ],
          },
          { role: 'model', parts: [{ text: 'Done.' }] },
        ],
      },
      losses: [],
    });
  });

  it('writes OpenAI chat as messages of the AI SDK', () => {
    expect(converted('openai-chat', 'ai-sdk', chat)).toEqual({
      wire: [
        { role: 'system', content: 'Be careful.' },
        { role: 'user', content: 'Read it.' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'One read.' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: { path: 'a.ts' } },
            { type: 'tool-call', toolCallId: 'call_2', toolName: 'read', input: { path: 'b.ts' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_1', toolName: 'read', output: { type: 'text', value: 'alpha' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_2', toolName: 'read', output: { type: 'text', value: 'beta' } },
          ],
        },
        { role: 'assistant', content: 'Done.' },
      ],
      losses: [],
    });
  });

  it('writes OpenAI chat as stored messages of LangChain', () => {
    const { wire, losses } = converted('openai-chat', 'langchain', chat);
    expect(losses).toEqual([]);
    expect(wire).toMatchObject([
      { type: 'system', data: { content: 'Be careful.' } },
      { type: 'human', data: { content: 'Read it.' } },
      {
        type: 'ai',
        data: {
          content: 'Reading.',
          additional_kwargs: { reasoning_content: 'One read.' },
          tool_calls: [{ id: 'call_1', name: 'read', args: { path: 'a.ts' } }, { id: 'call_2' }],
        },
      },
      { type: 'tool', data: { content: 'alpha', tool_call_id: 'call_1', name: 'read' } },
      { type: 'tool', data: { content: 'beta', tool_call_id: 'call_2' } },
      { type: 'ai', data: { content: 'Done.' } },
    ]);
  });

  it.each(['anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'])(
    'comes back from %s with the same words',
    (to) => {
      const bare = chat.map(({ reasoning_content: _reasoning, ...rest }) => rest);
      const there = converted('openai-chat', to, bare);
      const back = converted(to, 'openai-chat', there.wire);
      expect([there.losses, back.wire, back.losses]).toEqual([[], bare, []]);
    },
  );

  it('says everything that Anthropic messages lose', () => {
    const wire = {
      model: 'm',
      tools: [],
      system: 'Be careful.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.', cache_control: { type: 'ephemeral' } },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            { type: 'document', title: 'Plan', source: { type: 'text', media_type: 'text/plain', data: 'first' } },
            { type: 'image', source: { type: 'file', file_id: 'f' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'redacted_thinking', data: 'x' },
            { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
            { type: 'tool_use', id: 'a', name: 'shot', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              is_error: true,
              content: [{ type: 'image', source: { type: 'url', url: 'https://shop.example/a.png' } }],
            },
            { type: 'text', text: 'And?' },
          ],
        },
      ],
    };
    expect(converted('anthropic', 'openai-chat', wire)).toEqual({
      wire: [
        { role: 'system', content: 'Be careful.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            { type: 'text', text: 'first' },
            { type: 'text', text: '[image left out]' },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'shot', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '[image left out]' }] },
        { role: 'user', content: 'And?' },
      ],
      losses: [
        '-1: of the request around the messages, `model`, `tools` are left out',
        '1: `cache_control` is left out',
        '1: the content of the image is with its provider; a line of text stands for it',
        '1: the file of text `Plan` stands in the message as plain text',
        '2: the signature of the reasoning is left out; its text is kept',
        '2: encrypted reasoning can be read by its provider only; it is left out',
        '2: a part of the kind `server_tool_use` is left out',
        '3: that the tool failed (`a`) can only be read in its text',
        '3: a result in OpenAI chat holds text only; a line of text stands for the image',
      ],
    });
    const { wire: sdk } = converted('anthropic', 'ai-sdk', wire);
    expect(sdk).toMatchObject([
      {},
      { content: [{}, { type: 'file', data: PIXEL, mediaType: 'image/png' }, {}, {}] },
      {},
      {
        content: [{ output: { type: 'content', value: [{ type: 'image-url', url: 'https://shop.example/a.png' }] } }],
      },
      {},
    ]);
  });

  it('says everything that items of OpenAI Responses lose', () => {
    const wire = {
      model: 'm',
      previous_response_id: 'resp_1',
      instructions: 'Be careful.',
      input: [
        { type: 'message', role: 'developer', content: 'Be brief.' },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look.', prompt_cache_breakpoint: {} },
            { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'high' },
            { type: 'input_file', filename: 'a.pdf', file_url: 'https://shop.example/a.pdf' },
            { type: 'input_file', file_id: 'file_1' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'q' },
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'q' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { type: 'message', id: 'msg_1', role: 'assistant', status: 'incomplete', content: 'Looking.' },
        { type: 'custom_tool_call', id: 'ct_1', call_id: 'a', name: 'shell', input: 'ls' },
        {
          type: 'custom_tool_call_output',
          call_id: 'a',
          output: [{ type: 'input_image', image_url: 'https://x/a.png' }],
        },
      ],
    };
    const { wire: other, losses } = converted('openai-responses', 'anthropic', wire);
    expect(other).toEqual({
      system: [
        { type: 'text', text: 'Be careful.' },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            { type: 'text', text: '[file a.pdf left out]' },
            { type: 'text', text: '[file left out]' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'a', name: 'shell', input: { input: 'ls' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'image', source: { type: 'url', url: 'https://x/a.png' } }],
            },
          ],
        },
      ],
    });
    expect(losses).toEqual([
      '-1: of the request around the messages, `model`, `previous_response_id` are left out',
      '1: `role: developer` is left out',
      '2: `prompt_cache_breakpoint`, `file_id` are left out',
      '2: the detail of an image (high) is left out',
      '2: the content of the file is with its provider; a line of text stands for it',
      '2: Anthropic takes no file of the type unknown; a line of text stands for the file',
      '3: `id`, `status`, `encrypted_content`, `type: custom_tool_call` are left out',
      '3: encrypted reasoning can be read by its provider only; it is left out',
      '3: a part of the kind `web_search_call` is left out',
      '3: Anthropic takes no reasoning but its own, signed; it is left out',
      '3: the arguments of the call `a` are no JSON object; they stand in `input.input`',
    ]);
  });

  it('says everything that contents of Gemini lose', () => {
    const wire = {
      cachedContent: 'c',
      system_instruction: { parts: [{ text: 'Be careful.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: PIXEL, displayName: 'cat' } },
            { fileData: { mimeType: 'video/mp4', fileUri: 'gs://a/b' }, videoMetadata: { fps: 1 } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true },
            { functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2ln' },
            { text: '', thoughtSignature: 'c2ln' },
            { executableCode: { language: 'PYTHON', code: '1' } },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'look', response: { error: 'no' }, scheduling: 'SILENT' } }],
        },
      ],
    };
    expect(converted('gemini', 'openai-chat', wire)).toEqual({
      wire: [
        { role: 'system', content: 'Be careful.' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            { type: 'text', text: '[file video/mp4 left out]' },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [{ id: 'look~0', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'look~0', content: 'no' },
      ],
      losses: [
        '-1: of the request around the messages, `cachedContent` is left out',
        '1: `displayName`, `videoMetadata` are left out',
        '1: OpenAI chat takes no files by URL; a line of text stands for the file',
        '2: `thoughtSignature` is left out',
        '2: encrypted reasoning can be read by its provider only; it is left out',
        '2: a part of the kind `executableCode` is left out',
        '3: `scheduling` is left out',
        '3: that the tool failed (`look~0`) can only be read in its text',
      ],
    });
  });

  it('gives OpenAI Responses and Gemini what they take', () => {
    const wire = [
      { role: 'assistant', content: 'Hello.' },
      { role: 'assistant', content: null, tool_calls: [call('run:0', 'ls')] },
      { role: 'tool', tool_call_id: 'run:0', content: '' },
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'file', file: { filename: 'x', file_data: 'AAAA' } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call('run:0', '{}')] },
    ];
    expect(converted('openai-chat', 'openai-responses', wire)).toEqual({
      wire: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] },
        { type: 'function_call', call_id: 'run_0', name: 'run', arguments: 'ls' },
        { type: 'function_call_output', call_id: 'run_0', output: '' },
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
            { type: 'input_file', filename: 'x', file_data: 'data:application/octet-stream;base64,AAAA' },
          ],
        },
        { type: 'function_call', call_id: 'run_0_2', name: 'run', arguments: '{}' },
      ],
      losses: ['1: the id of the call `run:0` is `run_0` now', '5: the id of the call `run:0` is `run_0_2` now'],
    });
    expect(converted('openai-chat', 'gemini', wire)).toEqual({
      wire: [
        { role: 'user', parts: [{ text: '[the beginning of this conversation is missing]' }] },
        {
          role: 'model',
          parts: [{ text: 'Hello.' }, { functionCall: { id: 'run:0', name: 'run', args: { input: 'ls' } } }],
        },
        { role: 'user', parts: [{ functionResponse: { id: 'run:0', name: 'run', response: { output: '' } } }] },
        { role: 'user', parts: [{ text: 'Be brief.' }] },
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }, { text: '[file x left out]' }],
        },
        { role: 'model', parts: [{ functionCall: { id: 'run:0', name: 'run', args: {} } }] },
      ],
      losses: [
        '-1: message 1 of the result: the assistant spoke first: a user message that says so was put before it',
        '1: the arguments of the call `run:0` are no JSON object; they stand in `args.input`',
        '3: a system message among the others is a message of the user in Gemini',
        '4: Gemini takes no file of the type unknown; a line of text stands for it',
      ],
    });
  });

  it('says that a prompt beside messages of the AI SDK stays behind', () => {
    const wire = { system: 'Be brief.', messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }] };
    expect(converted('ai-sdk', 'gemini', wire).losses).toEqual([
      '-1: of the request around the messages, `system` is left out',
    ]);
  });

  it('gives Anthropic ids, inputs and a start that it takes', () => {
    const call = (id: string, text: string): object => ({
      role: 'assistant',
      name: 'bot',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: text } }],
    });
    const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'ok' });
    const wire = [
      call('functions.run:0', '{}'),
      result('functions.run:0'),
      call('functions.run:0', 'ls'),
      result('functions.run:0'),
      { role: 'assistant', content: 'Done. \n' },
    ];
    expect(converted('openai-chat', 'anthropic', wire)).toMatchObject({
      wire: [
        { role: 'user' },
        { content: [{ id: 'functions_run_0' }] },
        { content: [{ tool_use_id: 'functions_run_0' }] },
        { content: [{ id: 'functions_run_0_2', input: { input: 'ls' } }] },
        { content: [{ tool_use_id: 'functions_run_0_2' }] },
        { content: 'Done.' },
      ],
      losses: [
        '-1: message 1 of the result: the assistant spoke first: a user message that says so was put before it',
        '0: `name` is left out',
        '0: the id of the call `functions.run:0` is `functions_run_0` now',
        '2: `name` is left out',
        '2: the id of the call `functions.run:0` is `functions_run_0_2` now',
        '2: the arguments of the call `functions_run_0_2` are no JSON object; they stand in `input.input`',
        '4: white space at the end of the last answer is left out',
      ],
    });
  });

  it('reads bytes of the AI SDK, and drops what only one provider knows', () => {
    const wire = [
      { role: 'user', content: [{ type: 'file', data: Uint8Array.from([1, 2, 3]), mediaType: 'image/png' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'x' } } },
          { type: 'custom', kind: 'openai.thing' },
        ],
      },
      { role: 'user', content: 'Go.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
    ];
    expect(converted('ai-sdk', 'anthropic', wire)).toEqual({
      wire: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQID' } }],
        },
        { role: 'user', content: 'Go.' },
      ],
      losses: [
        '1: encrypted reasoning can be read by its provider only; it is left out',
        '1: a part of the kind `custom` is left out',
        '1: nothing is left of the message, so it is left out',
        '2: `providerOptions` is left out',
      ],
    });
  });

  it('gives back a conversation of the same format as it is', () => {
    const { conversation } = format('openai-chat').decode(chat);
    expect(convert(conversation, format('openai-chat'))).toEqual({ wire: chat, conversation, losses: [] });
  });

  it('takes a compacted view, without its history', async () => {
    let long = build().user('Fix it. Never log client ips.');
    for (let step = 0; step < 20; step++)
      long = long.call('read', { path: `${step}.ts` }).result(`${step} `.repeat(400));
    const { conversation } = await compact(long.user('Go on.').decode(format('openai-chat')), format('openai-chat'), {
      target: 1_500,
    });
    const { losses, conversation: other } = convert(conversation, format('anthropic'));
    expect(losses).toEqual([{ message: -1, text: 'the history behind the view is left out' }]);
    expect(other.messages.length).toBe(conversation.messages.length);
  });

  it('refuses a format it cannot write', () => {
    const { conversation } = format('openai-chat').decode(chat);
    const own: Format = { ...format('anthropic'), id: 'morse' };
    expect(() => convert(conversation, own)).toThrow('Expected `to` to be one of openai-chat, anthropic');
    expect(formats.every((each) => convert(conversation, each).wire !== null)).toBe(true);
  });
});
