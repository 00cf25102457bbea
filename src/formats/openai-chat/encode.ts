import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message, Part } from '../../core/conversation/message.ts';
import { withMessages } from '../envelope.ts';
import { isRecord } from '../guards.ts';
import { isResultContent } from '../parts.ts';
import { encodeAssistant } from './encode-assistant.ts';
import { encodeContent } from './encode-content.ts';
import { type ChatMessage, roleOf } from './wire.ts';

export function encodeChat({ messages, envelope }: Conversation): unknown {
  const encoded: unknown[] = [];
  // Every turn writes a request, and nearly all of its messages are unedited: those need no list of their own.
  for (const message of messages) {
    if (message.raw !== undefined) encoded.push(message.raw);
    else encoded.push(...encodeMessage(message));
  }
  return withMessages(envelope, encoded);
}

/** An edited message, or one message for each result of a tool message with several. */
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
      return [{ ...base, role, content: encodeContent(message.parts.filter(isResultContent), base.content) ?? '' }];
    }
  }
}

function encodeResult(part: Part, base: ChatMessage): readonly ChatMessage[] {
  if (part.type !== 'tool-result') return [];
  const content = encodeContent(part.content, base.content) ?? '';
  // A deprecated `function` message answers by its place and has no id.
  if (base.role === 'function') return [{ ...base, content }];
  return [{ ...base, role: 'tool', tool_call_id: part.callId, content }];
}
