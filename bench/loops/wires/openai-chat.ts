import type { Piece, Said, Wire } from '../said.ts';
import { thrown, type WireFormat } from './wire-format.ts';

export const openaiChatWire: WireFormat = {
  id: 'openai-chat',
  open: ({ system, tools, output, first }) => ({
    model: 'loop-model',
    messages: [{ role: 'system', content: system }, ...first],
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    max_tokens: output,
  }),
  write,
  usage: (input, output) => ({ prompt_tokens: input, completion_tokens: output, total_tokens: input + output }),
  overflow: (counted, limit) => {
    const message =
      limit === null
        ? 'Please reduce the length of the messages or completion.'
        : `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${counted} tokens. Please reduce the length of the messages.`;
    const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' };
    return thrown(`400 ${message}`, { status: 400, code: 'context_length_exceeded', error });
  },
};

function write(said: Said): readonly Wire[] {
  switch (said.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(said.pieces) }];
    case 'reminder':
      return [{ role: 'system', content: said.text }];
    case 'results':
      return said.results.map(({ id, pieces }) => ({ role: 'tool', tool_call_id: id, content: contentOf(pieces) }));
    case 'assistant': {
      const calls = said.calls.map(({ id, tool, args }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(args) },
      }));
      return [{ role: 'assistant', content: said.text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
    }
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
        return { type: 'image_url', image_url: { url: `data:image/png;base64,${piece.base64}` } };
      case 'file':
        return {
          type: 'file',
          file: { filename: piece.name, file_data: `data:application/pdf;base64,${piece.base64}` },
        };
    }
  });
}
