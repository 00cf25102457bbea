import type { Conversation } from '../../core/conversation/conversation.ts';
import { type Message, textOf } from '../../core/conversation/message.ts';
import { withMessages } from '../envelope.ts';
import { isRecord } from '../guards.ts';
import { encodePart } from './encode-part.ts';
import { lostReasoningItem, withoutItemId } from './item-ids.ts';
import type { AiMessage } from './wire.ts';

export function encodeAiSdk({ messages, envelope }: Conversation): unknown {
  return withMessages(envelope, messages.map(encodeMessage));
}

function encodeMessage(message: Message): unknown {
  if (message.raw !== undefined) return message.raw;
  const base: AiMessage = isRecord(message.base) ? message.base : {};
  const { role } = message;
  if (role === 'system') return { ...base, role, content: textOf(message) };
  return { ...base, role, content: encodeContent(message, base.content) };
}

/** A string for one text where the base had a string, else an array, which is legal both in messages and in provider prompts. */
function encodeContent(message: Message, base: unknown): string | readonly unknown[] {
  const [first] = message.parts;
  if (typeof base === 'string' && message.parts.length === 1 && first?.type === 'text') return first.text;
  const parts = message.parts.flatMap(encodePart);
  if (!lostReasoningItem(message, base)) return parts;
  return parts.map((part) => (isRecord(part) ? withoutItemId(part) : part));
}
