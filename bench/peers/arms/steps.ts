import { createMeasure } from '../../../src/core/tokens/measure.ts';
import { openaiChat } from '../../../src/formats/openai-chat/index.ts';
import { o200k } from '../../../src/models/o200k.ts';
import type { WireMessage } from '../types.ts';

/** Exact tokens. A new measure each time, on purpose: a caller that counts by hand remembers nothing between turns. */
export function countTokens(messages: readonly WireMessage[]): number {
  return messages.length === 0 ? 0 : createMeasure(o200k).conversation(openaiChat.decode(messages).conversation);
}

/** Runs that must stay together: an assistant message with calls and all their results; every other message alone. */
export function stepsOf(messages: readonly WireMessage[]): readonly (readonly WireMessage[])[] {
  const steps: WireMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'tool') steps.at(-1)?.push(message);
    else steps.push([message]);
  }
  return steps;
}

/** The system message and the task, and as many of the newest whole steps as fit into `keep` with them. Same array: nothing to drop. */
export function newestWithin(messages: readonly WireMessage[], keep: number): readonly WireMessage[] {
  const task = messages.findIndex(({ role }) => role === 'user');
  const head = messages.filter(({ role }, index) => role === 'system' || index === task);
  const steps = stepsOf(messages.filter((message) => !head.includes(message)));
  const tail: WireMessage[] = [];
  let left = keep - countTokens(head);
  for (const step of steps.toReversed()) {
    left -= countTokens(step);
    if (left < 0) break;
    tail.unshift(...step);
  }
  return head.length + tail.length === messages.length ? messages : [...head, ...tail];
}
