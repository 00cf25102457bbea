import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message } from '../../core/conversation/message.ts';
import { isSameList } from '../envelope.ts';
import { isRecord, messageListOf } from '../guards.ts';
import { encodeBlocks, encodeContent } from './encode-block.ts';
import type { AnthropicMessage, AnthropicRequest } from './wire.ts';

/** The wire value the conversation came from when nothing changed, else a shallow copy with other messages. */
export function encodeAnthropic({ messages, envelope }: Conversation): unknown {
  const top = messages.findIndex((message) => !isTopLevel(message));
  const split = top < 0 ? messages.length : top;
  const encoded = messages.slice(split).map(encodeMessage);
  const request: AnthropicRequest = isRecord(envelope) ? envelope : {};
  const system = encodeSystem(messages.slice(0, split), request.system);
  if (isSameList(messageListOf(envelope), encoded) && system === request.system) return envelope;
  if (!isRecord(envelope) && system === undefined) return encoded;
  const { system: _system, ...rest } = request;
  return { ...(system === undefined ? rest : { ...request, system }), messages: encoded };
}

/** Says whether a message is the prompt before the list: it comes from the `system` field, or is a new system message at the start. */
export function isTopLevel(message: Message): boolean {
  return message.role === 'system' && !isRecord(message.raw ?? message.base);
}

function encodeSystem(messages: readonly Message[], original: unknown): unknown {
  const [first] = messages;
  // An empty prompt has no message, and stays as it was.
  if (first === undefined)
    return original === '' || (Array.isArray(original) && original.length === 0) ? original : undefined;
  if (messages.length === 1) return first.raw ?? encodeContent(first.parts, first.base);
  return messages.flatMap((message) => encodeBlocks(message.parts));
}

function encodeMessage(message: Message): unknown {
  if (message.raw !== undefined) return message.raw;
  const base: AnthropicMessage = isRecord(message.base) ? message.base : {};
  const role = message.role === 'tool' ? 'user' : message.role;
  const parts = message.parts.filter((part) => part.raw === undefined || part.raw !== message.base);
  if (parts.length === 0) return { ...base, role };
  return { ...base, role, content: encodeContent(parts, base.content) };
}
