import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import type { DecodeNote, Format } from '../../core/format.ts';
import { listOf } from './envelope.ts';

/** New messages behind a history, and messages of its last step that they changed. */
export interface Continuation {
  /** Other forms of messages of the history, by their index. */
  readonly amended: ReadonlyMap<number, Message>;
  /** How many messages of the history still count; all of them unless one had to go. */
  readonly keep: number;
  readonly messages: readonly Message[];
  readonly notes: readonly DecodeNote[];
}

/**
 * Reads more wire messages behind a history. A tool result needs its call, so the last step is read again together with the new messages; when
 * that changes the step (a call that nobody will answer any more), the step is replaced.
 */
export function readContinuation(format: Format, history: readonly Message[], wire: unknown): Continuation {
  const open = openStep(history);
  const firstUser = history.find((message) => message.role === 'user');
  const before = [...(firstUser === undefined ? [] : [firstUser]), ...history.slice(open)];
  const fragment = listOf(format.encode({ format: format.id, messages: before } as unknown as SoundConversation));
  const decoded = format.decode([...fragment, ...listOf(wire)]);
  const messages = decoded.conversation.messages.slice(firstUser === undefined ? 0 : 1);
  const step = history.slice(open);
  const changed = step.flatMap((message, index) => (isSameWire(message, messages[index]) ? [] : [index]));
  const notes = decoded.notes.map((note) => ({ ...note, message: note.message - fragment.length + history.length }));
  // Still the same roles in the same order: they are the same messages, some with another content.
  if (step.every((message, index) => message.role === messages[index]?.role))
    return {
      amended: new Map(changed.map((index) => [open + index, messages[index] as Message])),
      keep: history.length,
      messages: messages.slice(step.length),
      notes,
    };
  return { amended: new Map(), keep: open, messages, notes };
}

/** Where the last step begins when answers to it may still come; else the end. */
function openStep(history: readonly Message[]): number {
  let from = history.length - 1;
  while (from > 0 && (history[from]?.parts.some((part) => part.type === 'tool-result') ?? false)) from--;
  const first = history[from];
  return first !== undefined && toolCallsOf(first).length > 0 ? from : history.length;
}

function isSameWire(message: Message, decoded: Message | undefined): boolean {
  if (decoded === undefined) return false;
  return message.raw === undefined ? decoded.role === message.role : decoded.raw === message.raw;
}
