import type { Message } from './message.ts';
import { isAsked, stretchesIn, stretchesOf } from './speakers/stretches.ts';

/** True when a person (or whoever plays the user) really said something in this message. */
export function isUserTurn(message: Message): boolean {
  return isAsked(stretchesOf(message)) || isMediaOnly(message);
}

/** Index of the task: the first thing a person asked for, else the first user message, else -1. */
export function taskIndex(messages: readonly Message[]): number {
  const asked = askedIn(messages).indexOf(true);
  return asked >= 0 ? asked : messages.findIndex((message) => message.role === 'user');
}

/** Index of the newest thing a person said, else of the last user message, else -1. */
export function lastUserIndex(messages: readonly Message[]): number {
  const asked = askedIn(messages).lastIndexOf(true);
  return asked >= 0 ? asked : messages.findLastIndex((message) => message.role === 'user');
}

function askedIn(messages: readonly Message[]): readonly boolean[] {
  return stretchesIn(messages).map((stretches, index) => isAsked(stretches) || isMediaOnly(messages[index] as Message));
}

/** A picture without words is something to look at. */
function isMediaOnly({ role, parts, speaker = 'human' }: Message): boolean {
  return (
    role === 'user' &&
    speaker === 'human' &&
    parts.some((part) => part.type !== 'text' && part.type !== 'tool-result') &&
    parts.every((part) => part.type !== 'text' || part.text.trim() === '')
  );
}
