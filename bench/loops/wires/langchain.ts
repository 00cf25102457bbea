import type { Piece, Said, Wire } from '../said.ts';
import { thrown, type WireFormat } from './wire-format.ts';

/** Stored messages. LangChain holds tools and settings in the model, so the request is the list alone. */
export const langChainWire: WireFormat = {
  id: 'langchain',
  open: ({ system, first }) => [{ type: 'system', data: { content: system } }, ...first],
  write,
  usage: (input, output) => ({ input_tokens: input, output_tokens: output, total_tokens: input + output }),
  overflow: (counted, limit) =>
    thrown(
      limit === null
        ? '400 Please reduce the length of the messages or completion.'
        : `400 This model's maximum context length is ${limit} tokens. However, your messages resulted in ${counted} tokens.`,
      { status: 400, code: 'context_length_exceeded', lc_error_code: 'CONTEXT_OVERFLOW' },
    ),
};

function write(said: Said): readonly Wire[] {
  switch (said.role) {
    case 'user':
      return [{ type: 'human', data: { content: contentOf(said.pieces) } }];
    case 'reminder':
      return [{ type: 'system', data: { content: said.text } }];
    case 'results':
      return said.results.map(({ id, tool, pieces }) => ({
        type: 'tool',
        data: { content: contentOf(pieces), tool_call_id: id, name: tool, status: 'success' },
      }));
    case 'assistant':
      return [
        {
          type: 'ai',
          data: {
            content: said.text ?? '',
            tool_calls: said.calls.map(({ id, tool, args }) => ({ id, name: tool, args, type: 'tool_call' })),
            invalid_tool_calls: [],
            additional_kwargs: {},
            response_metadata: {},
          },
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
        return { type: 'image_url', image_url: { url: `data:image/png;base64,${piece.base64}` } };
      case 'file':
        return { type: 'file', data: piece.base64, mimeType: 'application/pdf', source_type: 'base64' };
    }
  });
}
