import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message, ToolResultPart } from '../../core/conversation/message.ts';
import { isSameList } from '../envelope.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { isResultContent } from '../parts.ts';
import { encodeAssistant } from './encode-assistant.ts';
import { encodeContent, textTypeOf } from './encode-content.ts';
import { shellOutput } from './shell-output.ts';
import { itemListOf, type ResponsesItem, roleOf } from './wire.ts';

/** Returns the wire value itself when nothing changed, else a shallow copy with other items. */
export function encodeResponses({ messages, envelope }: Conversation): unknown {
  const [first] = messages;
  const isPrompted = first !== undefined && isInstructions(first);
  const said = isPrompted ? messages.slice(1) : messages;
  const request: WireRecord = isRecord(envelope) ? envelope : {};
  const instructions = isPrompted ? instructionsOf(first) : emptyOf(request['instructions']);
  const input = encodeInput(said, envelope);
  const isSame = input === (isRecord(envelope) ? request['input'] : envelope);
  if (isSame && instructions === request['instructions']) return envelope;
  if (!isRecord(envelope) && instructions === undefined) return input;
  const { instructions: _instructions, ...rest } = request;
  return { ...(instructions === undefined ? rest : { ...request, instructions }), input };
}

/** True for the prompt, which came from the `instructions` field. */
export function isInstructions(message: Message): boolean {
  return message.role === 'system' && typeof (message.raw ?? message.base) === 'string';
}

function instructionsOf(message: Message): string {
  if (typeof message.raw === 'string') return message.raw;
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** A request can say "no prompt" in several ways, and keeps its own. */
function emptyOf(instructions: unknown): unknown {
  return instructions === null || instructions === '' ? instructions : undefined;
}

/** Returns the list or text itself when nothing changed, else another list. */
function encodeInput(said: readonly Message[], envelope: unknown): unknown {
  const before = isRecord(envelope) ? envelope['input'] : envelope;
  const [first] = said;
  if (typeof before === 'string' && (said.length === 0 ? before === '' : said.length === 1 && first?.raw === before))
    return before;
  const items = encodeItems(said);
  const original = itemListOf(envelope);
  return isSameList(original, items) ? original : items;
}

export function encodeItems(messages: readonly Message[]): readonly unknown[] {
  /** Types of the calls so far: an output is named after its call. */
  const kinds = new Map<string, unknown>();
  return messages.flatMap((message) => {
    for (const part of message.parts) {
      const source = part.type === 'tool-call' ? (part.raw ?? part.base) : undefined;
      if (part.type === 'tool-call') kinds.set(part.callId, isRecord(source) ? source['type'] : 'function_call');
    }
    return encodeMessage(message, kinds);
  });
}

function encodeMessage(message: Message, kinds: ReadonlyMap<string, unknown>): readonly unknown[] {
  const { raw } = message;
  if (typeof raw === 'string') return [{ type: 'message', role: message.role, content: raw }];
  if (raw !== undefined && !Array.isArray(raw)) return [raw];
  switch (message.role) {
    case 'assistant':
      return encodeAssistant(message);
    case 'tool':
      return message.parts.flatMap((part) => (part.type === 'tool-result' ? [encodeResult(part, message, kinds)] : []));
    case 'system':
    case 'user':
      return [encodeWords(message)];
  }
}

function encodeWords(message: Message): ResponsesItem {
  const base: ResponsesItem = isRecord(message.base) ? message.base : { type: 'message' };
  const role = roleOf(base.role) === message.role ? base.role : message.role;
  const before = typeof message.base === 'string' ? message.base : base.content;
  return {
    ...base,
    role,
    content: encodeContent(message.parts.filter(isResultContent), before, textTypeOf(message.role)),
  };
}

function encodeResult(part: ToolResultPart, message: Message, kinds: ReadonlyMap<string, unknown>): unknown {
  if (part.raw !== undefined) return part.raw;
  const source = part.base ?? message.base;
  const isCustom = kinds.get(part.callId) === 'custom_tool_call';
  const fresh = {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: part.callId,
    output: '',
  };
  const base: ResponsesItem = isRecord(source) ? source : fresh;
  const texts = part.content.map((item) => (item.type === 'text' ? item.text : null)).filter((text) => text !== null);
  const output = shellOutput(base, texts) ?? encodeContent(part.content, base.output ?? '', 'input_text');
  return { ...base, output };
}
