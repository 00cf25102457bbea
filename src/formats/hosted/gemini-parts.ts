import type { HostedCall } from '../../core/conversation/message.ts';
import { isRecord, jsonOf, stringOrNull, type WireRecord } from '../guards.ts';
import { readableText } from './readable-text.ts';

/** Reads a part of a tool that Google runs, in either spelling: code and its result, or a call and its response. Null for other parts. */
export function hostedGeminiPart(part: WireRecord): HostedCall | null {
  const code = bodyOf(part, 'executableCode', 'executable_code');
  if (code !== null)
    return { callId: idOf(code), name: 'code_execution', arguments: stringOrNull(code['code']) ?? '', output: null };
  const ran = bodyOf(part, 'codeExecutionResult', 'code_execution_result');
  if (ran !== null) return { callId: idOf(ran), name: 'code_execution', arguments: null, output: ranText(ran) };
  const call = bodyOf(part, 'toolCall', 'tool_call');
  if (call !== null)
    return { callId: idOf(call), name: nameOf(call), arguments: jsonOf(call['args'] ?? {}) ?? '', output: null };
  const response = bodyOf(part, 'toolResponse', 'tool_response');
  if (response !== null)
    return {
      callId: idOf(response),
      name: nameOf(response),
      arguments: null,
      output: readableText(response['response']),
    };
  return null;
}

function bodyOf(part: WireRecord, field: string, other: string): WireRecord | null {
  const body = part[field] ?? part[other];
  return isRecord(body) ? body : null;
}

function idOf(body: WireRecord): string | null {
  return stringOrNull(body['id']);
}

function nameOf(body: WireRecord): string {
  return (stringOrNull(body['toolType']) ?? stringOrNull(body['tool_type']) ?? 'tool').toLowerCase();
}

function ranText({ outcome, output }: WireRecord): string {
  const isFine = outcome === undefined || outcome === 'OUTCOME_OK';
  return readableText([isFine ? null : { outcome }, output]);
}
