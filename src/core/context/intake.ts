import { type Message, toolCallsOf } from '../conversation/message.ts';
import type { SoundConversation } from '../conversation/sound.ts';
import type { DecodeNote, Format } from '../format.ts';

/** What came in: how many messages of the history stay as they are, and those that follow. */
export interface Intake {
  readonly keep: number;
  readonly messages: readonly Message[];
  readonly notes: readonly DecodeNote[];
}

/**
 * Reads more wire messages behind a history. A tool result makes sense with its call alone, so the last step is read again together with what is
 * new; when that changes it (a call that nobody will answer any more), the step is replaced.
 */
export function readMore(format: Format, history: readonly Message[], wire: unknown): Intake {
  const open = openStep(history);
  const anchor = history.find((message) => message.role === 'user');
  const before = [...(anchor === undefined ? [] : [anchor]), ...history.slice(open)];
  const fragment = listOf(format.encode({ format: format.id, messages: before } as unknown as SoundConversation));
  const decoded = format.decode([...fragment, ...listOf(wire)]);
  const messages = decoded.conversation.messages.slice(anchor === undefined ? 0 : 1);
  const step = history.slice(open);
  const isSame = step.every((message, index) => sameWire(message, messages[index]));
  const notes = decoded.notes.map((note) => ({ ...note, message: note.message - fragment.length + history.length }));
  return isSame
    ? { keep: history.length, messages: messages.slice(step.length), notes }
    : { keep: open, messages, notes };
}

/** Where the last step begins when answers to it may still come; else the end. */
function openStep(history: readonly Message[]): number {
  let from = history.length - 1;
  while (from > 0 && history[from]?.role === 'tool') from--;
  const first = history[from];
  return first !== undefined && toolCallsOf(first).length > 0 ? from : history.length;
}

function sameWire(message: Message, decoded: Message | undefined): boolean {
  if (decoded === undefined) return false;
  return message.raw === undefined ? decoded.role === message.role : decoded.raw === message.raw;
}

/** The messages of a wire value: a list, one message, or a request around a list. */
export function listOf(wire: unknown): readonly unknown[] {
  if (Array.isArray(wire)) return wire;
  if (typeof wire !== 'object' || wire === null) return [wire];
  const request = wire as Readonly<Record<string, unknown>>;
  const list = request['messages'] ?? request['contents'] ?? request['input'];
  return Array.isArray(list) ? list : [wire];
}
