import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import type { SoundConversation } from '../../core/conversation/sound.ts';
import type { DecodeNote, Format } from '../../core/format.ts';
import { listOf } from './envelope.ts';

/** New messages after a history, and changes they make to its last step. */
export interface Continuation {
  /** New forms of history messages, by their index. */
  readonly amended: ReadonlyMap<number, Message>;
  /** Number of history messages that still count: all of them, unless the last step was replaced. */
  readonly keep: number;
  readonly messages: readonly Message[];
  readonly notes: readonly DecodeNote[];
}

/**
 * Reads wire messages that follow a history. A tool result needs its call, so the last step is read again together with the new messages. When
 * that changes the step, for example because a call will never be answered, the step is replaced.
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
  // The same roles in the same order: these are the same messages, some with new content.
  if (step.every((message, index) => message.role === messages[index]?.role))
    return {
      amended: new Map(changed.map((index) => [open + index, messages[index] as Message])),
      keep: history.length,
      messages: messages.slice(step.length),
      notes,
    };
  return { amended: new Map(), keep: open, messages, notes };
}

/** Returns the index of the last step if its calls may still get results, else the length of the history. */
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
