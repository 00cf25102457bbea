import type { Conversation } from '../../core/conversation/conversation.ts';
import {
  type Message,
  type ResultContent,
  type TextPart,
  withParts,
  withText,
} from '../../core/conversation/message.ts';
import { splitSteps } from '../../core/conversation/steps.ts';
import { mapResultContent } from './result-content.ts';

/** Cuts the middle out of longer outputs; the beginning, the end and the size stay. */
export function trimOutputs(conversation: Conversation, most: number, count: (rule: string) => void): Conversation {
  const messages = conversation.messages.map((message) => {
    const parts = message.parts.map((part) => {
      if (part.type !== 'tool-result') return part;
      const trimmed = mapResultContent(part, (item) => trimContent(item, most));
      if (trimmed !== part) count('long output');
      return trimmed;
    });
    return parts.every((part, index) => part === message.parts[index]) ? message : withParts(message, parts);
  });
  return { ...conversation, messages };
}

function trimContent(item: ResultContent, most: number): ResultContent {
  if (item.type !== 'text' || item.text.length <= most) return item;
  return withText(item satisfies TextPart, cutMiddle(item.text, most));
}

/** Returns at most `most` characters, so that cutting again cuts nothing. */
export function cutMiddle(text: string, most: number): string {
  const note = `\n[… cut by precis scrub: this output had ${text.length} characters …]\n`;
  const room = Math.max(0, most - note.length);
  const head = wholeCharacters(text, Math.ceil(room * HEAD_SHARE), 'before');
  const tail = wholeCharacters(text, text.length - (room - Math.ceil(room * HEAD_SHARE)), 'after');
  return text.slice(0, head) + note + text.slice(tail);
}

/** The beginning tells what it is; the end often tells how it went. */
const HEAD_SHARE = 0.7;

function wholeCharacters(text: string, at: number, side: 'before' | 'after'): number {
  const isInside = /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isInside ? at + (side === 'before' ? -1 : 1) : at;
}

/** Ends of steps, where a conversation may be cut and stays sound. */
export function cutPlaces(messages: readonly Message[]): readonly number[] {
  const firstUser = messages.findIndex((message) => message.role === 'user');
  return splitSteps(messages)
    .map((step) => step.to)
    .filter((end) => end > firstUser && end < messages.length);
}
