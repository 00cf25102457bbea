import { type Message, toolResultsOf, withParts } from '../../core/conversation/message.ts';
import type { DecodeNote } from '../../core/format.ts';
import type { Mended, Numbered } from '../pairs/mend.ts';

/** Puts the answers to the calls of one content into one content, as the API demands (GEM-1). */
export function mergeAnswers(items: readonly Numbered[]): Mended {
  const notes: DecodeNote[] = [];
  const merged: Numbered[] = [];
  for (const item of items) {
    const before = merged.at(-1);
    if (before === undefined || !isSpread(before.message, item.message)) {
      merged.push(item);
      continue;
    }
    notes.push({ message: item.index, text: 'tool results of one step brought into one message' });
    const { message } = before;
    merged[merged.length - 1] = {
      index: before.index,
      message: { ...withParts(message, [...message.parts, ...item.message.parts]), role: item.message.role },
    };
  }
  return { items: merged, notes };
}

/** True when the answers continue in the next message. */
export function isSpread(message: Message, next: Message): boolean {
  return message.role === 'tool' && toolResultsOf(next).length > 0;
}
