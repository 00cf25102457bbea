import type { Hosted, Piece, Said, Wire } from '../said.ts';
import { thrown, type WireFormat } from './wire-format.ts';

export const aiSdkWire: WireFormat = {
  id: 'ai-sdk',
  open: ({ system, tools, output, isThinking, first }) => ({
    model: 'loop-model',
    system,
    messages: first,
    tools: Object.fromEntries(
      tools.map(({ name, description, schema }) => [name, { description, inputSchema: schema }]),
    ),
    maxOutputTokens: output,
    ...(isThinking ? { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } } } : {}),
  }),
  write,
  usage: (input, output) => ({ inputTokens: input, outputTokens: output, totalTokens: input + output }),
  overflow: (counted, limit) => {
    const message = limit === null ? 'prompt is too long' : `prompt is too long: ${counted} tokens > ${limit} maximum`;
    const responseBody = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
    return thrown(message, {
      name: 'AI_APICallError',
      statusCode: 400,
      responseBody,
      url: 'https://api.example.test/v1',
    });
  },
};

function write(said: Said): readonly Wire[] {
  switch (said.role) {
    case 'user':
      return [{ role: 'user', content: userContent(said.pieces) }];
    case 'reminder':
      return [{ role: 'system', content: said.text }];
    case 'results':
      return [
        {
          role: 'tool',
          content: said.results.map(({ id, tool, pieces }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: tool,
            output: outputOf(pieces),
          })),
        },
      ];
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [
            ...(said.thought === null
              ? []
              : [{ type: 'reasoning', text: said.thought, providerOptions: { anthropic: { signature: '' } } }]),
            ...said.hosted.flatMap(hostedParts),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, tool, args }) => ({
              type: 'tool-call',
              toolCallId: id,
              toolName: tool,
              input: args,
            })),
          ],
        },
      ];
  }
}

function userContent(pieces: readonly Piece[]): unknown {
  const [only] = pieces;
  if (pieces.length === 1 && only?.type === 'text') return only.text;
  return pieces.map((piece) => {
    switch (piece.type) {
      case 'text':
        return { type: 'text', text: piece.text };
      case 'image':
        return { type: 'image', image: piece.base64, mediaType: 'image/png' };
      case 'file':
        return { type: 'file', data: piece.base64, mediaType: 'application/pdf', filename: piece.name };
    }
  });
}

function outputOf(pieces: readonly Piece[]): Wire {
  const [only] = pieces;
  if (pieces.length === 1 && only?.type === 'text') return { type: 'text', value: only.text };
  const value = pieces.map((piece) => {
    switch (piece.type) {
      case 'text':
        return { type: 'text', text: piece.text };
      case 'image':
        return { type: 'media', data: piece.base64, mediaType: 'image/png' };
      case 'file':
        return { type: 'media', data: piece.base64, mediaType: 'application/pdf' };
    }
  });
  return { type: 'content', value };
}

function hostedParts({ kind, id, input, output, base64 }: Hosted): readonly Wire[] {
  const toolName = kind === 'code' ? 'code_execution' : 'web_search';
  const value =
    kind === 'web-search'
      ? [{ url: 'https://example.test/a', title: input, encrypted_content: base64 }]
      : { stdout: output };
  return [
    { type: 'tool-call', toolCallId: id, toolName, input: { query: input }, providerExecuted: true },
    { type: 'tool-result', toolCallId: id, toolName, output: { type: 'json', value } },
  ];
}
