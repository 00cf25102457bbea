import type { Message, Part, ResultContent, ToolCallPart } from '../../core/conversation/message.ts';
import { toolCallsOf } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { baseOf, isResultContent } from '../parts.ts';
import { decodeReasoning } from './decode-assistant.ts';
import { encodeContent } from './encode-content.ts';
import { type ChatMessage, type ChatToolCall, REASONING_FIELDS, SIDE_CONTENT } from './wire.ts';

/** An edited assistant message: the fields of its base, with the content, calls and reasoning of its parts. */
export function encodeAssistant(message: Message, base: ChatMessage): ChatMessage {
  const { tool_calls: _calls, function_call: functionCall, ...rest } = withReasoning(base, message);
  const content = message.parts.filter((part): part is ResultContent => isContent(part, base));
  const calls = toolCallsOf(message);
  const legacy = calls.find((call) => functionCall !== undefined && (call.raw ?? call.base) === functionCall);
  const listed = calls.filter((call) => call !== legacy);
  return {
    ...rest,
    role: 'assistant',
    content: encodeContent(content, base.content) ?? emptyContent(base.content),
    ...(listed.length === 0 ? {} : { tool_calls: listed.map(encodeCall) }),
    ...(legacy === undefined ? {} : { function_call: encodeFunctionCall(legacy) }),
  };
}

/** A message without text keeps the empty value it had. */
function emptyContent(base: unknown): '' | null {
  return base === '' ? '' : null;
}

/** Refusals and audio have fields of their own. */
function isContent(part: Part, base: ChatMessage): boolean {
  if (part.type === 'opaque') return !SIDE_CONTENT.some((field) => field === part.kind && base[field] === part.raw);
  return isResultContent(part);
}

function encodeCall(call: ToolCallPart): unknown {
  if (call.raw !== undefined) return call.raw;
  const base: ChatToolCall = baseOf(call);
  if (base.type === 'custom') {
    const custom = isRecord(base.custom) ? base.custom : {};
    return { ...base, custom: { ...custom, name: call.name, input: call.arguments } };
  }
  if (typeof base.type === 'string' && base.type !== 'function') return base;
  const body = isRecord(base.function) ? base.function : {};
  return {
    ...base,
    id: call.callId,
    type: 'function',
    function: { ...body, name: call.name, arguments: call.arguments },
  };
}

function encodeFunctionCall(call: ToolCallPart): unknown {
  if (call.raw !== undefined) return call.raw;
  return { ...baseOf(call), name: call.name, arguments: call.arguments };
}

/** Unchanged reasoning keeps all its fields; removed or rewritten reasoning loses them. */
function withReasoning(base: ChatMessage, message: Message): ChatMessage {
  const part = message.parts.find((candidate) => candidate.type === 'reasoning');
  const before = decodeReasoning(base);
  if (part === undefined && before === null) return base;
  if (part !== undefined && part.text === before?.text) return base;
  const bare = Object.fromEntries(
    Object.entries(base).filter(([key]) => !REASONING_FIELDS.some((field) => field === key)),
  );
  if (part === undefined || part.text === '') return bare;
  const field = typeof base.reasoning === 'string' ? 'reasoning' : 'reasoning_content';
  return { ...bare, [field]: part.text };
}
