import type { Message } from '../../core/conversation/message.ts';
import type { Decoded, DecodeNote } from '../../core/format.ts';
import { expectMessage, expectMessageList, expectString, wrongField } from '../guards.ts';
import { isVoid, type Numbered } from '../pairs/mend.ts';
import { repairPairs } from '../pairs/repair.ts';
import { decodeAssistant, functionCallId } from './decode-assistant.ts';
import { decodeContent } from './decode-part.ts';
import { type ChatMessage, ROLE_NAMES, roleOf } from './wire.ts';

/** Reads every message, drops empty ones, and makes calls and results pair. */
export function decodeChat(wire: unknown): Decoded {
  const notes: DecodeNote[] = [];
  const items: Numbered[] = [];
  let lastFunctionCall = -1;
  expectMessageList(wire).forEach((value, index) => {
    const raw: ChatMessage = expectMessage(value, index);
    if (raw.role === 'assistant' && raw.function_call !== undefined && raw.function_call !== null)
      lastFunctionCall = index;
    const message = decodeMessage(raw, index, lastFunctionCall);
    if (isVoid(message)) notes.push({ message: index, text: `${message.role} message without content dropped` });
    else items.push({ index, message });
    if (message.role === 'tool' && message.raw === undefined)
      notes.push({ message: index, text: 'tool result without content made empty' });
  });
  const paired = repairPairs(items);
  return {
    conversation: { format: 'openai-chat', messages: paired.items.map((item) => item.message), envelope: wire },
    notes: [...notes, ...paired.notes],
  };
}

function decodeMessage(raw: ChatMessage, index: number, lastFunctionCall: number): Message {
  const role = roleOf(raw.role);
  switch (role) {
    case null:
      throw wrongField({ index, field: 'role' }, `one of ${ROLE_NAMES}`, raw.role);
    case 'assistant':
      return { role, parts: decodeAssistant(raw, index), raw };
    case 'tool':
      return decodeTool(raw, index, lastFunctionCall);
    case 'system':
    case 'user':
      return { role, parts: decodeContent(raw.content, index), raw };
  }
}

function decodeTool(raw: ChatMessage, index: number, lastFunctionCall: number): Message {
  const callId =
    raw.role === 'function' ? functionCallId(lastFunctionCall) : expectString(raw.tool_call_id, index, 'tool_call_id');
  const result = { type: 'tool-result', callId, content: decodeContent(raw.content, index), isError: false } as const;
  // Servers refuse a result whose content is null, but accept an empty one.
  const missing = raw.content === undefined || raw.content === null;
  return { role: 'tool', parts: [result], ...(missing ? { base: raw } : { raw }) };
}
