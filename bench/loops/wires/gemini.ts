import type { Hosted, Piece, Said, Wire } from '../said.ts';
import { thrown, type WireFormat } from './wire-format.ts';

export const geminiWire: WireFormat = {
  id: 'gemini',
  open: ({ system, tools, output, first }) => ({
    model: 'loop-model',
    systemInstruction: { parts: [{ text: system }] },
    contents: first,
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, schema }) => ({ name, description, parameters: schema })),
      },
    ],
    generationConfig: { maxOutputTokens: output },
  }),
  write,
  usage: (input, output) => ({
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  }),
  overflow: (counted, limit) => {
    // A gateway in between may swallow the numbers that Google always gives.
    const message =
      limit === null
        ? 'ContextWindowExceededError: the prompt was refused'
        : `The input token count (${counted}) exceeds the maximum number of tokens allowed (${limit}).`;
    const body = { error: { code: 400, message, status: 'INVALID_ARGUMENT' } };
    return thrown(JSON.stringify(body), { name: 'ApiError', status: 400 });
  },
};

function write(said: Said): readonly Wire[] {
  switch (said.role) {
    case 'user':
      return [{ role: 'user', parts: said.pieces.map(partOf) }];
    case 'reminder':
      return [{ role: 'user', parts: [{ text: said.text }] }];
    case 'results':
      return [
        {
          role: 'user',
          parts: said.results.map(({ id, tool, pieces }) => {
            const output = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n');
            const media = pieces.filter((piece) => piece.type !== 'text').map(partOf);
            const parts = media.length === 0 ? {} : { parts: media };
            return { functionResponse: { id, name: tool, response: { output }, ...parts } };
          }),
        },
      ];
    case 'assistant':
      return [
        {
          role: 'model',
          parts: [
            ...(said.thought === null ? [] : [{ text: said.thought, thought: true }]),
            ...said.hosted.flatMap(hostedParts),
            ...(said.text === null ? [] : [{ text: said.text }]),
            ...said.calls.map(({ id, tool, args }) => ({ functionCall: { id, name: tool, args } })),
          ],
        },
      ];
  }
}

function partOf(piece: Piece): Wire {
  switch (piece.type) {
    case 'text':
      return { text: piece.text };
    case 'image':
      return { inlineData: { mimeType: 'image/png', data: piece.base64 } };
    case 'file':
      return { inlineData: { mimeType: 'application/pdf', data: piece.base64 } };
  }
}

function hostedParts({ kind, id, input, output }: Hosted): readonly Wire[] {
  if (kind === 'code')
    return [
      { executableCode: { language: 'PYTHON', code: input } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output } },
    ];
  return [
    { toolCall: { id, toolType: 'SEARCH', args: { query: input } } },
    { toolResponse: { id, toolType: 'SEARCH', response: { output } } },
  ];
}
