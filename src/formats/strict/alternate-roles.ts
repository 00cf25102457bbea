import { type Conversation, withMessages } from '../../core/conversation/conversation.ts';
import { type Message, textOf } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { missingStart } from '../missing-start.ts';
import type { StrictNote } from './encode-strictly.ts';
import { joinMessages } from './join-messages.ts';

/** Stands between results and what the user says next, where results are messages of their own. */
const BETWEEN: Message = { role: 'assistant', parts: [{ type: 'text', text: '[tool results received]' }] };

/** A system message among the others becomes words of the user, and says so. */
const SYSTEM_LABEL = '[system message]\n';

/**
 * Makes user and assistant take turns: joins neighbours with one role, makes one prompt of several, turns later system messages into words of the
 * user, and puts a message between results and the user. The conversation itself when nothing had to change.
 */
export function alternateRoles(conversation: Conversation): {
  readonly conversation: Conversation;
  readonly notes: readonly StrictNote[];
} {
  const notes: StrictNote[] = [];
  const taken: Message[] = [];
  conversation.messages.forEach((given, index) => {
    const note = (text: string): void => void notes.push({ message: index, text });
    const isLate = isLateSystem(given, taken, conversation.format);
    if (isLate) note('a system message among the others became words of the user');
    const message = isLate ? asUser(given) : given;
    const before = taken.at(-1);
    const joined = before === undefined ? null : joinMessages(before, message, conversation.format);
    if (joined !== null) {
      note(joined.text);
      taken[taken.length - 1] = joined.message;
      return;
    }
    const filler = fillerBefore(message, taken);
    if (filler !== null) {
      note(filler === BETWEEN ? 'an assistant message was put before it' : 'a user message was put before it');
      taken.push(filler);
    }
    taken.push(message);
  });
  return { conversation: withMessages(conversation, withoutFinalSpace(taken)), notes };
}

/** System messages at the start are the prompt. Anthropic keeps the prompt in a field, so those in its list are never at the start. */
function isLateSystem(message: Message, before: readonly Message[], format: string): boolean {
  // Items that set the state of a conversation keep their place.
  if (message.role !== 'system' || message.parts.some((part) => part.type !== 'text')) return false;
  if (format === 'anthropic' && isRecord(message.raw ?? message.base)) return true;
  return before.some((earlier) => earlier.role !== 'system');
}

function asUser(message: Message): Message {
  return { role: 'user', parts: [{ type: 'text', text: `${SYSTEM_LABEL}${textOf(message)}` }] };
}

function fillerBefore(message: Message, before: readonly Message[]): Message | null {
  if (message.role === 'user' && before.at(-1)?.role === 'tool') return BETWEEN;
  const isFirst = before.every((earlier) => earlier.role === 'system');
  return isFirst && message.role === 'assistant' ? missingStart : null;
}

/** Anthropic refuses white space at the end of a last answer that is not its own. */
function withoutFinalSpace(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  const part = last?.parts.at(-1);
  if (last?.role !== 'assistant' || last.raw !== undefined || part?.type !== 'text') return messages;
  const text = part.text.trimEnd();
  if (text === part.text || (text === '' && last.parts.length === 1)) return messages;
  const { raw, ...rest } = part;
  const base = raw ?? part.base;
  const trimmed = text === '' ? [] : [{ ...rest, text, ...(base === undefined ? {} : { base }) }];
  return messages.with(-1, { ...last, parts: [...last.parts.slice(0, -1), ...trimmed] });
}
