import type { Hosted, Piece, Said, Wire } from '../said.ts';
import { thrown, type WireFormat } from './wire-format.ts';

export const anthropicWire: WireFormat = {
  id: 'anthropic',
  open: ({ system, tools, output, isThinking, first }) => ({
    model: 'loop-model',
    system,
    messages: first,
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    max_tokens: output,
    ...(isThinking ? { thinking: { type: 'enabled', budget_tokens: Math.max(1_024, Math.floor(output / 2)) } } : {}),
  }),
  write,
  usage: (input, output) => ({ input_tokens: input, output_tokens: output }),
  overflow: (counted, limit) => {
    const message = limit === null ? 'prompt is too long' : `prompt is too long: ${counted} tokens > ${limit} maximum`;
    const body = { type: 'error', error: { type: 'invalid_request_error', message } };
    return thrown(`400 ${JSON.stringify(body)}`, { status: 400, error: body });
  },
};

function write(said: Said): readonly Wire[] {
  switch (said.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(said.pieces) }];
    case 'reminder':
      return [{ role: 'system', content: said.text }];
    case 'results':
      return [
        {
          role: 'user',
          content: said.results.map(({ id, pieces }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: contentOf(pieces),
          })),
        },
      ];
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [
            ...(said.thought === null ? [] : [{ type: 'thinking', thinking: said.thought, signature: '' }]),
            ...said.hosted.flatMap(hostedBlocks),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args })),
          ],
        },
      ];
  }
}

function contentOf(pieces: readonly Piece[]): unknown {
  const [only] = pieces;
  if (pieces.length === 1 && only?.type === 'text') return only.text;
  return pieces.map((piece) => {
    switch (piece.type) {
      case 'text':
        return { type: 'text', text: piece.text };
      case 'image':
        return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: piece.base64 } };
      case 'file':
        return {
          type: 'document',
          title: piece.name,
          source: { type: 'base64', media_type: 'application/pdf', data: piece.base64 },
        };
    }
  });
}

function hostedBlocks({ kind, id, input, output, base64 }: Hosted): readonly Wire[] {
  switch (kind) {
    case 'web-search':
      return [
        { type: 'server_tool_use', id, name: 'web_search', input: { query: input } },
        {
          type: 'web_search_tool_result',
          tool_use_id: id,
          content: [
            { type: 'web_search_result', url: 'https://example.test/a', title: input, encrypted_content: base64 },
          ],
        },
      ];
    case 'code':
      return [
        { type: 'server_tool_use', id, name: 'code_execution', input: { code: input } },
        {
          type: 'code_execution_tool_result',
          tool_use_id: id,
          content: { type: 'code_execution_result', stdout: output, stderr: '', return_code: 0, content: [] },
        },
      ];
    case 'mcp':
    case 'mcp-list':
      return [
        { type: 'mcp_tool_use', id, name: 'find', server_name: 'ledger', input: { query: input } },
        { type: 'mcp_tool_result', tool_use_id: id, is_error: false, content: [{ type: 'text', text: output }] },
      ];
    case 'picture':
    case 'computer':
    case 'future':
      return [{ type: 'future_block', note: output }];
  }
}
