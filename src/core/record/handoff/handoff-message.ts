import { type Message, textOf } from '../../conversation/message.ts';
import type { SummedEntry } from '../entry.ts';
import { isHandoffText, readFrame } from './frame.ts';
import { readHandoff } from './read-handoff.ts';

/** True for a message that an earlier compaction wrote. */
export function isHandoff(message: Message): boolean {
  return message.role === 'user' && isHandoffText(textOf(message));
}

/** The summary lines in the handoffs of a view. */
export function summaryLinesIn(view: readonly Message[]): readonly SummedEntry[] {
  return view
    .filter(isHandoff)
    .flatMap((message) => readHandoff(textOf(message)))
    .filter((entry) => entry.type === 'summed');
}

/** Number of the last message that the handoff among these stands for; 0 when there is none. */
export function foldedThrough(messages: readonly Message[]): number {
  return messages.reduce(
    (last, message) => (isHandoff(message) ? (readFrame(textOf(message))?.through ?? last) : last),
    0,
  );
}

/** Handles of the originals of earlier handoffs whose text is all that is left of them, newest first. */
export function earlierRefs(messages: readonly Message[]): readonly string[] {
  const frames = messages.filter(isHandoff).flatMap((message) => readFrame(textOf(message)) ?? []);
  return [...new Set(frames.reverse().flatMap(({ ref, earlier }) => [ref, ...earlier]))].slice(0, MOST_EARLIER_REFS);
}

/** Each costs a line, and older ones still stand in the handoffs behind these refs. */
const MOST_EARLIER_REFS = 8;

/** The folder that paths of the first handoff are relative to; empty when there is none. */
export function carriedRoot(messages: readonly Message[]): string {
  const handoff = messages.find(isHandoff);
  return handoff === undefined ? '' : (readFrame(textOf(handoff))?.root ?? '');
}

/** Number of each message, counted from 1 over all that was ever said, also by messages that only a handoff remembers. */
export function numberMessages(messages: readonly Message[]): readonly number[] {
  let last = 0;
  return messages.map((message) => {
    const frame = isHandoff(message) ? readFrame(textOf(message)) : null;
    last = frame === null ? last + 1 : Math.max(last, frame.through);
    return last;
  });
}
