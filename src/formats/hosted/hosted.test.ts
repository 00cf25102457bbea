import { describe, expect, it } from 'vitest';
import { encodeWith } from '../../../test/formats/codec.ts';
import type { HostedCall, OpaquePart, Part } from '../../core/conversation/message.ts';
import type { Format } from '../../core/format.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from '../index.ts';

const ENCRYPTED = 'EuYBCioIAhgCIiQ2'.repeat(60);
const user = { role: 'user', content: 'When is high tide?' };

function opaqueParts(format: Format, wire: unknown): readonly OpaquePart[] {
  const { conversation, notes } = format.decode(wire);
  expect(notes).toEqual([]);
  expect(encodeWith(format, conversation)).toBe(wire);
  return conversation.messages
    .flatMap((message): readonly Part[] => message.parts)
    .flatMap((part): readonly Part[] => (part.type === 'tool-result' ? part.content : [part]))
    .filter((part): part is OpaquePart => part.type === 'opaque');
}

function hostedOf(format: Format, wire: unknown): readonly (HostedCall | null)[] {
  return opaqueParts(format, wire).map((part) => part.hosted ?? null);
}

const call = (callId: string | null, name: string, asked: string): HostedCall => ({
  callId,
  name,
  arguments: asked,
  output: null,
});
const result = (callId: string | null, name: string, output: string): HostedCall => ({
  callId,
  name,
  arguments: null,
  output,
});

describe('hosted calls of Anthropic', () => {
  const hosted = (...content: readonly object[]): readonly (HostedCall | null)[] =>
    hostedOf(anthropic, [user, { role: 'assistant', content }]);

  it('are read with their results, without encrypted text', () => {
    const found = [
      { type: 'web_search_result', title: 'Tides', url: 'https://sea.example', encrypted_content: ENCRYPTED },
    ];
    expect(
      hosted(
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'tide' } },
        { type: 'web_search_tool_result', tool_use_id: 's1', content: found },
        { type: 'mcp_tool_use', id: 'm1', name: 'harbour', server_name: 'sea', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'm1', is_error: true, content: [{ type: 'text', text: 'closed' }] },
      ),
    ).toEqual([
      call('s1', 'web_search', '{"query":"tide"}'),
      result('s1', 'web_search', 'Tides\nhttps://sea.example'),
      call('m1', 'harbour', '{}'),
      result('m1', 'mcp', 'failed: closed'),
    ]);
  });

  it('are read in every kind of result', () => {
    const document = {
      type: 'document',
      title: 'Log',
      source: { type: 'text', media_type: 'text/plain', data: 'calm sea' },
    };
    const ran = {
      type: 'bash_code_execution_result',
      stdout: 'ok',
      stderr: '',
      return_code: 0,
      content: [{ type: 'f', file_id: 'f1' }],
    };
    expect(
      hosted(
        {
          type: 'web_fetch_tool_result',
          tool_use_id: 'a',
          content: { type: 'web_fetch_result', url: 'https://sea.example', content: document },
        },
        { type: 'bash_code_execution_tool_result', tool_use_id: 'b', content: ran },
        {
          type: 'code_execution_tool_result',
          tool_use_id: 'c',
          content: { type: 'code_execution_tool_result_error', error_code: 'unavailable' },
        },
        {
          type: 'tool_search_tool_result',
          tool_use_id: 'd',
          content: { type: 't', tool_references: [{ type: 'tool_reference', tool_name: 'boat' }] },
        },
        { type: 'container_upload', file_id: 'file_1' },
        {
          type: 'mcp_tool_listing',
          server_name: 'sea',
          tools: [{ name: 'harbour', description: 'Where to land', input_schema: { type: 'object' } }],
        },
      ).map((each) => each?.output),
    ).toEqual([
      'https://sea.example\nLog\ncalm sea',
      'ok\nreturn code: 0',
      'error code: unavailable',
      'tool name: boat',
      '[file put into the container]',
      'server name: sea\nharbour: Where to land',
    ]);
  });

  it('are no settings of the conversation and no unknown blocks', () => {
    expect(hosted({ type: 'tool_addition', tool: { name: 'x' } }, { type: 'hologram', depth: 3 })).toEqual([
      null,
      null,
    ]);
  });

  it('are read where a tool gave them back', () => {
    const found = {
      type: 'search_result',
      source: 'https://sea.example',
      title: 'Tides',
      content: [{ type: 'text', text: 'noon' }],
    };
    const wire = [
      user,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [found] }] },
    ];
    expect(hostedOf(anthropic, wire)).toEqual([result(null, 'search_result', 'https://sea.example\nTides\nnoon')]);
  });
});

describe('hosted calls of OpenAI Responses', () => {
  const hosted = (...input: readonly object[]): readonly (HostedCall | null)[] => hostedOf(openaiResponses, { input });

  it('hold what was asked and what was found', () => {
    const search = { type: 'search', query: 'tide', sources: [{ type: 'url', url: 'https://sea.example' }] };
    expect(
      hosted(
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: search },
        {
          type: 'file_search_call',
          id: 'fs_1',
          queries: ['tide'],
          results: [{ file_id: 'f', filename: 'log.txt', score: 0.4, text: 'noon' }],
        },
        { type: 'code_interpreter_call', id: 'ci_1', code: 'print(1)', outputs: [{ type: 'logs', logs: '1' }] },
        {
          type: 'mcp_call',
          id: 'mcp_1',
          name: 'harbour',
          server_label: 'sea',
          arguments: '{}',
          output: 'open',
          error: null,
        },
        { type: 'mcp_list_tools', id: 'ml_1', server_label: 'sea', tools: [{ name: 'harbour', input_schema: {} }] },
        { type: 'tool_search_call', call_id: 't1', execution: 'server', arguments: { goal: 'boats' } },
        {
          type: 'tool_search_output',
          call_id: 't1',
          tools: [{ type: 'namespace', name: 'sea', tools: [{ name: 'boat' }] }],
        },
        { type: 'program', call_id: 'p1', id: 'pr_1', code: 'go()', fingerprint: 'f' },
        { type: 'program_output', call_id: 'p1', id: 'po_1', result: 'went', status: 'completed' },
      ),
    ).toEqual([
      { callId: 'ws_1', name: 'web_search', arguments: '{"query":"tide"}', output: 'https://sea.example' },
      { callId: 'fs_1', name: 'file_search', arguments: '{"queries":["tide"]}', output: 'log.txt\nnoon' },
      { callId: 'ci_1', name: 'code_interpreter', arguments: 'print(1)', output: '1' },
      { callId: 'mcp_1', name: 'harbour', arguments: '{}', output: 'open' },
      { callId: 'ml_1', name: 'mcp_list_tools', arguments: '{"server":"sea"}', output: 'harbour' },
      call('t1', 'tool_search', '{"goal":"boats"}'),
      result('t1', 'tool_search', 'sea\nboat'),
      call('p1', 'program', 'go()'),
      result('p1', 'program', 'went'),
    ]);
  });

  it('stand in one message with the answer to their approval request', () => {
    const request = { type: 'mcp_approval_request', id: 'apr_1', name: 'land', server_label: 'sea', arguments: '{}' };
    const wire = { input: [request, { type: 'mcp_approval_response', approval_request_id: 'apr_1', approve: true }] };
    expect(openaiResponses.decode(wire).conversation.messages).toHaveLength(1);
    expect(hosted(...wire.input)).toEqual([
      call('apr_1', 'mcp_approval_request', '{"tool":"land","arguments":"{}"}'),
      result('apr_1', 'mcp_approval_response', 'approved'),
    ]);
  });

  it('are no settings of the conversation and no unknown items', () => {
    expect(hosted({ type: 'additional_tools', tools: [] }, { type: 'tomorrow', id: 'x' })).toEqual([null, null]);
  });

  it('count a picture by its size, not by its letters', () => {
    const png = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ${'Ab1+'.repeat(300)}`;
    const [part] = opaqueParts(openaiResponses, {
      input: [{ type: 'image_generation_call', id: 'ig_1', result: png }],
    });
    expect(part).toMatchObject({ pictures: [{ width: 1, height: 1 }], hosted: { output: '[image 1×1]' } });
    expect(part?.json.length).toBeLessThan(80);
  });
});

describe('hosted calls of other formats', () => {
  it('are read from Gemini parts of code and of tools', () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no' } },
      { toolCall: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', args: { q: 'tide' } } },
      { tool_response: { id: 't', tool_type: 'GOOGLE_SEARCH_WEB', response: { title: 'Tides' } } },
    ];
    const wire = {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts },
      ],
    };
    expect(hostedOf(gemini, wire)).toEqual([
      call(null, 'code_execution', 'print(1)'),
      result(null, 'code_execution', 'outcome: OUTCOME_FAILED\nno'),
      call('t', 'google_search_web', '{"q":"tide"}'),
      result('t', 'google_search_web', 'Tides'),
    ]);
  });

  it('are read from AI SDK parts, except the compaction of a server', () => {
    const content = [
      { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: { q: 1 }, providerExecuted: true },
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'search',
        output: { type: 'json', value: [{ title: 'Tides' }] },
      },
      { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction' } } },
      { type: 'custom', kind: 'xai.note', providerOptions: { xai: { note: 'calm' } } },
    ];
    expect(hostedOf(aiSdk, [user, { role: 'assistant', content }])).toEqual([
      call('a', 'search', '{"q":1}'),
      result('a', 'search', 'Tides'),
      null,
      result(null, 'xai.note', 'note: calm'),
    ]);
  });

  it('are read from LangChain blocks, in its own words and in those of a provider', () => {
    const content = [
      { type: 'server_tool_call', id: 'a', name: 'search', args: { q: 1 } },
      { type: 'server_tool_call_result', toolCallId: 'a', status: 'error', output: { message: 'down' } },
      { type: 'web_search_tool_result', tool_use_id: 'b', content: [{ title: 'Tides' }] },
      { type: 'hologram', text: 'calm', depth: 2 },
    ];
    expect(
      hostedOf(langChain, [
        { type: 'human', data: { content: 'hi' } },
        { type: 'ai', data: { content } },
      ]),
    ).toEqual([
      call('a', 'search', '{"q":1}'),
      result('a', 'tool', 'failed: down'),
      result('b', 'web_search', 'Tides'),
      result(null, 'hologram', 'calm\ndepth: 2'),
    ]);
  });

  it('are read from audio and unknown parts of chat', () => {
    const wire = [
      { role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://sea.example/v.mp4' } }] },
      { role: 'assistant', audio: { id: 'audio_1', transcript: 'noon' }, tool_calls: null },
      { role: 'developer', content: 'x' },
    ];
    expect(hostedOf(openaiChat, wire)).toEqual([
      result(null, 'video_url', 'https://sea.example/v.mp4'),
      result(null, 'audio', 'transcript: noon'),
    ]);
  });
});
