import type { Conversation } from '../../core/conversation/conversation.ts';
import {
  type Message,
  type Part,
  type ResultContent,
  type TextPart,
  withParts,
  withText,
} from '../../core/conversation/message.ts';
import { mapResultContent } from './result-content.ts';
import { stripThinking } from './strip-thinking.ts';

export interface StructureOptions {
  readonly firstMessage?: string;
  readonly keepSystem?: boolean;
}

/** Replaces a prompt that may hold its owner's rules, memories and tools. */
export const SYSTEM_PLACEHOLDER =
  'You are a helpful assistant with access to tools. The user gives you a task; you call tools to do it and report what you did.';

/** Removes reasoning, the system prompt and images, and replaces the task by its paraphrase. */
export function restructure(
  conversation: Conversation,
  { firstMessage, keepSystem = false }: StructureOptions,
  count: (rule: string) => void,
): Conversation {
  let isFirst = firstMessage !== undefined;
  const messages = conversation.messages.flatMap((message): readonly Message[] => {
    if (message.role === 'system') return [keepSystem ? message : placeholder(message, count)];
    if (message.role === 'user' && isFirst && message.parts.some((part) => part.type === 'text')) {
      isFirst = false;
      return [paraphrased(message, firstMessage ?? '', count)];
    }
    return cleaned(message, count);
  });
  return { ...conversation, messages };
}

function placeholder(message: Message, count: (rule: string) => void): Message {
  const [first] = message.parts;
  if (message.parts.length === 1 && first?.type === 'text' && first.text === SYSTEM_PLACEHOLDER) return message;
  count('system prompt');
  return withParts(message, [{ type: 'text', text: SYSTEM_PLACEHOLDER }]);
}

function paraphrased(message: Message, text: string, count: (rule: string) => void): Message {
  const [first, ...rest] = message.parts;
  if (rest.length === 0 && first?.type === 'text' && first.text === text) return message;
  count('first user message');
  // A user message may also carry results; those keep their place.
  const results = message.parts.filter((part) => part.type === 'tool-result');
  return withParts(message, [...results, { type: 'text', text }]);
}

function cleaned(message: Message, count: (rule: string) => void): readonly Message[] {
  const parts = message.parts.flatMap((part) => cleanedPart(part, message, count));
  if (parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index]))
    return [message];
  if (parts.length > 0) return [withParts(message, parts)];
  count('empty message');
  return [];
}

function cleanedPart(part: Part, message: Message, count: (rule: string) => void): readonly Part[] {
  switch (part.type) {
    case 'reasoning':
      count('reasoning');
      return [];
    case 'text':
      return message.role === 'assistant' ? spoken(part, count) : [part];
    case 'image':
    case 'file':
      return [withoutMedia(part, count)];
    case 'tool-result':
      return [mapResultContent(part, (item) => withoutMedia(item, count))];
    case 'tool-call':
    case 'opaque':
      return [part];
  }
}

function spoken(part: TextPart, count: (rule: string) => void): readonly Part[] {
  const text = stripThinking(part.text);
  if (text === part.text) return [part];
  count('reasoning');
  return text === '' ? [] : [withText(part, text)];
}

/** Rules cannot scrub pixels, so a picture is only named. */
function withoutMedia(part: ResultContent, count: (rule: string) => void): ResultContent {
  if (part.type !== 'image' && part.type !== 'file') return part;
  count('image or file');
  return { type: 'text', text: `[${part.type} removed]` };
}
