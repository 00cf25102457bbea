import type { Hosted, Piece, Said, Wire } from '../said.ts';
import { thrown, type WireFormat } from './wire-format.ts';

export const openaiResponsesWire: WireFormat = {
  id: 'openai-responses',
  open: ({ system, tools, output, first }) => ({
    model: 'loop-model',
    instructions: system,
    input: first,
    tools: tools.map(({ name, description, schema }) => ({ type: 'function', name, description, parameters: schema })),
    max_output_tokens: output,
    store: false,
    include: ['reasoning.encrypted_content'],
  }),
  write,
  usage: (input, output) => ({ input_tokens: input, output_tokens: output, total_tokens: input + output }),
  overflow: (counted, limit) => {
    const message =
      limit === null
        ? 'Your input exceeds the context window of this model. Please adjust your input and try again.'
        : `Input tokens exceed the configured limit of ${limit} tokens. Your messages resulted in ${counted} tokens. Please reduce the length of the messages.`;
    const error = { message, type: 'invalid_request_error', param: 'input', code: 'context_length_exceeded' };
    return thrown(`400 ${message}`, { status: 400, code: 'context_length_exceeded', error });
  },
};

function write(said: Said): readonly Wire[] {
  switch (said.role) {
    case 'user':
      return [{ type: 'message', role: 'user', content: said.pieces.map(partOf) }];
    case 'reminder':
      return [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: said.text }] }];
    case 'results':
      return said.results.map(({ id, pieces }) => ({
        type: 'function_call_output',
        call_id: id,
        output: pieces.length === 1 && pieces[0]?.type === 'text' ? pieces[0].text : pieces.map(partOf),
      }));
    case 'assistant':
      return [
        // The server writes the id and the encrypted content.
        ...(said.thought === null ? [] : [{ type: 'reasoning', id: '', summary: [], encrypted_content: said.thought }]),
        ...said.hosted.flatMap(hostedItems),
        ...(said.text === null
          ? []
          : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said.text }] }]),
        ...said.calls.map(({ id, tool, args }) => ({
          type: 'function_call',
          id: `fc_${id}`,
          call_id: id,
          name: tool,
          arguments: JSON.stringify(args),
        })),
      ];
  }
}

function partOf(piece: Piece): Wire {
  switch (piece.type) {
    case 'text':
      return { type: 'input_text', text: piece.text };
    case 'image':
      return { type: 'input_image', image_url: `data:image/png;base64,${piece.base64}` };
    case 'file':
      return { type: 'input_file', filename: piece.name, file_data: `data:application/pdf;base64,${piece.base64}` };
  }
}

function hostedItems({ kind, id, input, output, base64 }: Hosted): readonly Wire[] {
  switch (kind) {
    case 'web-search':
      return [
        {
          type: 'web_search_call',
          id: `ws_${id}`,
          status: 'completed',
          action: { type: 'search', query: input, sources: [output] },
        },
      ];
    case 'code':
      return [
        {
          type: 'code_interpreter_call',
          id: `ci_${id}`,
          status: 'completed',
          container_id: 'cntr_1',
          code: input,
          outputs: [{ type: 'logs', logs: output }],
        },
      ];
    case 'mcp':
      return [
        {
          type: 'mcp_call',
          id: `mcp_${id}`,
          server_label: 'ledger',
          name: 'find',
          arguments: JSON.stringify({ query: input }),
          output,
          error: null,
        },
      ];
    case 'mcp-list':
      return [
        {
          type: 'mcp_list_tools',
          id: `mcpl_${id}`,
          server_label: 'ledger',
          tools: [{ name: 'find', description: output, input_schema: { type: 'object' } }],
        },
      ];
    case 'picture':
      return [{ type: 'image_generation_call', id: `ig_${id}`, status: 'completed', result: base64 }];
    case 'computer':
      return [
        {
          type: 'computer_call',
          id: `cu_${id}`,
          call_id: `call_${id}`,
          status: 'completed',
          pending_safety_checks: [],
          action: { type: 'click', x: 10, y: 20, button: 'left' },
        },
        {
          type: 'computer_call_output',
          call_id: `call_${id}`,
          output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${base64}` },
        },
      ];
    case 'future':
      return [{ type: 'future_tool_call', id: `ft_${id}`, note: output }];
  }
}
