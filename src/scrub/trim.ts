import type { Conversation } from '../core/conversation/conversation.ts';
import { type Message, type ResultContent, type TextPart, withParts, withText } from '../core/conversation/message.ts';
import { splitSteps } from '../core/conversation/steps.ts';

/** Outputs longer than this lose their middle; the beginning, the end and the size stay. */
export function trimOutputs(conversation: Conversation, most: number, count: (rule: string) => void): Conversation {
  const messages = conversation.messages.map((message) => {
    const parts = message.parts.map((part) => {
      if (part.type !== 'tool-result') return part;
      const content = part.content.map((item) => trimContent(item, most));
      if (content.every((item, index) => item === part.content[index])) return part;
      count('long output');
      const { raw, base, ...rest } = part;
      return { ...rest, content, ...((raw ?? base) === undefined ? {} : { base: raw ?? base }) };
    });
    return parts.every((part, index) => part === message.parts[index]) ? message : withParts(message, parts);
  });
  return { ...conversation, messages };
}

function trimContent(item: ResultContent, most: number): ResultContent {
  if (item.type !== 'text' || item.text.length <= most) return item;
  return withText(item satisfies TextPart, cutMiddle(item.text, most));
}

/** Never longer than `most`, so that cutting again cuts nothing. */
export function cutMiddle(text: string, most: number): string {
  const note = `\n[… cut by precis scrub: this output had ${text.length} characters …]\n`;
  const room = Math.max(0, most - note.length);
  const head = wholeCharacters(text, Math.ceil(room * HEAD_SHARE), 'before');
  const tail = wholeCharacters(text, text.length - (room - Math.ceil(room * HEAD_SHARE)), 'after');
  return text.slice(0, head) + note + text.slice(tail);
}

/** The beginning says what it is; the end often says how it ended. */
const HEAD_SHARE = 0.7;

function wholeCharacters(text: string, at: number, side: 'before' | 'after'): number {
  const isInside = /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isInside ? at + (side === 'before' ? -1 : 1) : at;
}

/** Ends of steps: where a conversation may be cut off and stays sound. */
export function cutPlaces(messages: readonly Message[]): readonly number[] {
  const firstUser = messages.findIndex((message) => message.role === 'user');
  return splitSteps(messages)
    .map((step) => step.to)
    .filter((end) => end > firstUser && end < messages.length);
}
