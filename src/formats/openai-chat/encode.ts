import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message, Part, ResultContent } from '../../core/conversation/message.ts';
import { isRecord, messageListOf } from '../guards.ts';
import { encodeAssistant } from './encode-assistant.ts';
import { encodeContent } from './encode-content.ts';
import { type ChatMessage, roleOf } from './wire.ts';

/** The wire value the conversation came from when nothing changed, else a shallow copy with other messages. */
export function encodeChat({ messages, envelope }: Conversation): unknown {
  const encoded: unknown[] = [];
  // A request is written after every turn, and nearly all of its messages are as they came: no list is made for those.
  for (const message of messages) {
    if (message.raw !== undefined) encoded.push(message.raw);
    else encoded.push(...encodeMessage(message));
  }
  const original = messageListOf(envelope);
  if (
    original !== null &&
    original.length === encoded.length &&
    encoded.every((value, index) => value === original[index])
  ) {
    return envelope;
  }
  return isRecord(envelope) ? { ...envelope, messages: encoded } : encoded;
}

/** One message that was edited, or one for each result of a tool message that holds several. */
function encodeMessage(message: Message): readonly unknown[] {
  const base: ChatMessage = isRecord(message.base) ? message.base : {};
  switch (message.role) {
    case 'tool':
      return message.parts.flatMap((part) => encodeResult(part, base));
    case 'assistant':
      return [encodeAssistant(message, base)];
    case 'system':
    case 'user': {
      const role = roleOf(base.role) === message.role ? base.role : message.role;
      return [{ ...base, role, content: encodeContent(message.parts.filter(isContent), base.content) ?? '' }];
    }
  }
}

function encodeResult(part: Part, base: ChatMessage): readonly ChatMessage[] {
  if (part.type !== 'tool-result') return [];
  const content = encodeContent(part.content, base.content) ?? '';
  // A deprecated `function` message is found by its place, and has no id.
  if (base.role === 'function') return [{ ...base, content }];
  return [{ ...base, role: 'tool', tool_call_id: part.callId, content }];
}

function isContent(part: Part): part is ResultContent {
  return part.type === 'text' || part.type === 'image' || part.type === 'file' || part.type === 'opaque';
}
