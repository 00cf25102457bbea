import type { Message, Part, TextPart } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { withResultsFirst } from '../pairs/repair.ts';
import { nameInText } from '../parts.ts';

/** One message in place of two, and what happened. */
export interface Joined {
  readonly message: Message;
  readonly text: string;
}

/** Joins two neighbours that a strict server wants as one message; null when they may stand side by side. */
export function joinMessages(first: Message, second: Message, format: string): Joined | null {
  const [side, next] = [first, second].map((message) => sideOf(message, format));
  if (side !== next || side === 'tool' || side === undefined) return null;
  if (side === 'system') return joinPrompts(first, second, format);
  if (side === 'user')
    return joined([first, second], [...first.parts, ...second.parts], 'joined with the message before it');
  if (format === 'openai-responses') return joinItems(first, second);
  return joinAnswers(first, second, format);
}

/** Results are words of the user on two wires, and messages of their own on the others. */
function sideOf({ role }: Message, format: string): Message['role'] {
  const isInUser = format === 'anthropic' || format === 'gemini';
  return role === 'tool' && isInUser ? 'user' : role;
}

/** Prompts in a field of their own are one already; items that set the state of a conversation keep their place. */
function joinPrompts(first: Message, second: Message, format: string): Joined | null {
  if (format === 'anthropic' || format === 'gemini' || ![first, second].every(isText)) return null;
  return joined([first, second], [...first.parts, ...second.parts], 'joined with the prompt before it');
}

/**
 * Joins two answers. Only the second can call tools, because results follow their call; so the second is the one that stays on the wire, with the
 * words of the first before its own.
 */
function joinAnswers(first: Message, second: Message, format: string): Joined {
  const said = first.parts.flatMap((part) => movable(part, format));
  const isLost = first.parts.some((part) => part.type === 'reasoning' && part.raw === undefined);
  const text = `joined with the message before it${isLost ? ', whose reasoning was left out' : ''}`;
  if (said.length === 0) return { message: second, text };
  return joined([second, first], [...said, ...second.parts], text);
}

/** Some wires keep reasoning and sounds outside the content, where a message has room for one. */
function movable(part: Part, format: string): readonly Part[] {
  if (part.type === 'reasoning') return part.raw === undefined ? [] : [part];
  if (format !== 'openai-chat' || part.type !== 'opaque') return [part];
  return isRecord(part.raw) && typeof part.raw['type'] === 'string'
    ? [part]
    : [{ type: 'text', text: part.hosted?.output || nameInText(part) }];
}

/** Items follow each other freely; only messages that are nothing but words are joined. */
function joinItems(first: Message, second: Message): Joined | null {
  if (![first, second].every(isText)) return null;
  const parts = [...first.parts, ...second.parts].map((part): Part => {
    // A text may be a whole item, which is no part of another one.
    const isItem = part.type === 'text' && isRecord(part.raw ?? part.base) && 'role' in Object(part.raw ?? part.base);
    return isItem ? { type: 'text', text: part.text } : part;
  });
  return { message: { role: 'assistant', parts: withTextsJoined(parts) }, text: 'joined with the message before it' };
}

/** @param holders the messages whose wire fields stay, in order of preference */
function joined(holders: readonly Message[], parts: readonly Part[], text: string): Joined {
  const isOnlyResults = parts.every((part) => part.type === 'tool-result');
  const [role] = holders.map((message) => message.role).filter((each) => each !== 'tool' || isOnlyResults);
  const base = holders
    .toSorted((one, other) => Number(one.role === 'tool') - Number(other.role === 'tool'))
    .map((message) => message.raw ?? message.base)
    .find((source) => source !== undefined);
  const ordered = withTextsJoined(withResultsFirst(parts));
  return { message: { role: role ?? 'user', parts: ordered, ...(base === undefined ? {} : { base }) }, text };
}

/** Two plain texts become one, so that a content that is a string stays a string: many strict servers take nothing else. */
function withTextsJoined(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const before = result.at(-1);
    if (before !== undefined && isPlainText(before) && isPlainText(part))
      result[result.length - 1] = { type: 'text', text: `${before.text}\n\n${part.text}` };
    else result.push(part);
  }
  return result;
}

function isPlainText(part: Part): part is TextPart {
  return part.type === 'text' && part.raw === undefined && part.base === undefined;
}

function isText({ parts }: Message): boolean {
  return parts.every((part) => part.type === 'text');
}
