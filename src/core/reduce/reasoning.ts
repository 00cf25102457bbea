import { type Message, type Part, withParts, withText } from '../conversation/message.ts';

/**
 * Bound reasoning is valid only while the messages before it are unchanged. After an edit, all bound reasoning behind it must go at once: a
 * single block left over makes the provider refuse the request.
 */
export function stripBoundReasoning(messages: readonly Message[], firstChanged: number): readonly Message[] {
  if (firstChanged < 0) return messages;
  const stripped = messages.flatMap((message, index) => {
    if (index < firstChanged || !message.parts.some(isBound)) return [message];
    const parts = trimmedEnd(message.parts.filter((part) => !isBound(part)));
    return parts.length === 0 ? [] : [withParts(message, parts)];
  });
  return stripped;
}

/** Providers refuse a last assistant message that ends in white space, so a rebuilt message must not end so. */
function trimmedEnd(parts: readonly Part[]): readonly Part[] {
  const last = parts.at(-1);
  if (last?.type !== 'text' || last.text === last.text.trimEnd()) return parts;
  const text = last.text.trimEnd();
  return text === '' ? parts.slice(0, -1) : [...parts.slice(0, -1), withText(last, text)];
}

/**
 * Index of the first message of the turn under way, if it holds bound reasoning: the provider wants it back, so nothing before it may change.
 * Null when the turn has ended, or holds none.
 */
export function openTurnOf(messages: readonly Message[]): number | null {
  // A reminder of the host behind the results ends no turn.
  const last = messages.findLast(({ role }) => role !== 'system');
  if (
    last === undefined ||
    (last.role !== 'tool' && !last.parts.some((part) => part.type === 'tool-call' || part.type === 'tool-result'))
  )
    return null;
  const start =
    messages.findLastIndex(
      (message) => message.role === 'user' && !message.parts.some((part) => part.type === 'tool-result'),
    ) + 1;
  return messages.slice(start).some((message) => message.parts.some(isBound)) ? start : null;
}

/** Index of the last message with bound reasoning; -1 when there is none. Edits behind it break nothing. */
export function lastBoundOf(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.parts.some(isBound));
}

function isBound(part: Message['parts'][number]): boolean {
  return part.type === 'reasoning' && part.bound;
}
