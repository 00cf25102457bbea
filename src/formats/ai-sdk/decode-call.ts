import type { ResultContent, ToolCallPart, ToolResultPart } from '../../core/conversation/message.ts';
import { expectRecord, expectString, jsonOf, wrongField } from '../guards.ts';
import { decodePlain, opaque, type Place } from './decode-part.ts';
import { argumentsOf } from './input.ts';
import type { AiOutput, AiPart } from './wire.ts';

export function decodeCall(part: AiPart, { index, field }: Place): ToolCallPart {
  const callId = expectString(part.toolCallId, index, `${field}.toolCallId`);
  const name = expectString(part.toolName, index, `${field}.toolName`);
  const text = argumentsOf(part.input);
  if (text === null)
    throw wrongField(index, `${field}.input`, 'a value neither circular nor nested beyond reason', part.input);
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
      return textContent(expectString(output.value, index, `${field}.value`));
    case 'json':
    case 'error-json':
      return textContent(jsonOf(output.value) ?? '');
    case 'execution-denied':
      return textContent(typeof output.reason === 'string' ? output.reason : '');
    case 'content': {
      const { value } = output;
      if (!Array.isArray(value)) throw wrongField(index, `${field}.value`, 'an array of parts', value);
      return value.map((part: unknown, at) => decodePlain(part, { index, field: `${field}.value[${at}]` }));
    }
    default:
      return [opaque(type, output)];
  }
}

function textContent(text: string): readonly ResultContent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
