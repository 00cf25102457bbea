import type { ResultContent, ToolCallPart, ToolResultPart } from '../../core/conversation/message.ts';
import { expectArray, expectRecord, expectString, jsonOf, type Place, wrongField } from '../guards.ts';
import { opaquePart, textParts } from '../parts.ts';
import { decodePlain } from './decode-part.ts';
import { argumentsOf } from './input.ts';
import type { AiOutput, AiPart } from './wire.ts';

export function decodeCall(part: AiPart, { index, field }: Place): ToolCallPart {
  const callId = expectString(part.toolCallId, index, `${field}.toolCallId`);
  const name = expectString(part.toolName, index, `${field}.toolName`);
  const text = argumentsOf(part.input);
  if (text === null)
    throw wrongField(
      { index, field: `${field}.input` },
      'a value neither circular nor nested beyond reason',
      part.input,
    );
  return { type: 'tool-call', callId, name, arguments: text, raw: part };
}

export function decodeResult(part: AiPart, { index, field }: Place): ToolResultPart {
  const callId = expectString(part.toolCallId, index, `${field}.toolCallId`);
  const output: AiOutput = expectRecord(part.output, index, `${field}.output`);
  const type = expectString(output.type, index, `${field}.output.type`);
  return {
    type: 'tool-result',
    callId,
    content: decodeOutput(output, type, { index, field: `${field}.output` }),
    isError: type === 'error-text' || type === 'error-json' || type === 'execution-denied',
    raw: part,
  };
}

function decodeOutput(output: AiOutput, type: string, { index, field }: Place): readonly ResultContent[] {
  switch (type) {
    case 'text':
    case 'error-text':
      return textParts(expectString(output.value, index, `${field}.value`));
    case 'json':
    case 'error-json':
      return textParts(jsonOf(output.value) ?? '');
    case 'execution-denied':
      return textParts(typeof output.reason === 'string' ? output.reason : '');
    case 'content':
      return expectArray(output.value, { index, field: `${field}.value` }, 'an array of parts').map((part, at) =>
        decodePlain(part, { index, field: `${field}.value[${at}]` }),
      );
    default:
      return [opaquePart(type, output)];
  }
}
