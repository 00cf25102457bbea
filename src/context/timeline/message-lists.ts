import type { Message } from '../../core/conversation/message.ts';
import { stripBoundReasoning } from '../../core/reduce/reasoning.ts';
import type { ViewEvent } from './event.ts';
import type { Birth, Row, TimelineData } from './timeline-data.ts';

/** The message lists that every request needs. */
export interface MessageLists {
  readonly epoch: number;
  readonly view: Message[];
  readonly history: Message[];
  readonly shown: Map<Message, Message>;
}

/** Creates lists that grow with the timeline, so that each call handles only the new messages. */
export function createMessageLists(data: TimelineData): { current(): MessageLists; forget(): void } {
  let cached: MessageLists | null = null;
  return {
    current() {
      const isNew = cached?.epoch !== data.epoch;
      if (cached === null || isNew)
        cached = { epoch: data.epoch, view: [...messagesOf(data, data.current)], history: [], shown: new Map() };
      for (let at = cached.history.length; at < data.lineage.length; at++) {
        const { message, shown } = data.rows[data.lineage[at] as number] as Row;
        cached.history.push(message);
        if (!isNew) cached.view.push(shown);
        if (shown !== message) cached.shown.set(message, shown);
      }
      return cached;
    },
    forget() {
      cached = null;
    },
  };
}

/**
 * Returns the messages of a view and all messages since. Signed reasoning is bound to the messages before it: it stays only in the view that it
 * was written under, and only while they have the form they had then.
 */
export function messagesOf(data: TimelineData, view: ViewEvent | null): readonly Message[] {
  const id = view?.id ?? null;
  const own: Birth = { view: id, epoch: data.made.get(id ?? '') ?? 0 };
  const items = view?.items ?? [];
  let changed = 0;
  return [...items, ...data.lineage.slice(view?.covers ?? 0)].flatMap((item, index) => {
    const isRow = typeof item === 'number';
    const message = isRow ? (data.rows[item] as Row).shown : item;
    const birth = isRow && index >= items.length ? data.born[item] : own;
    const isBound = birth?.view === id && changed <= birth.epoch;
    if (isRow) changed = Math.max(changed, data.amended.get(item) ?? 0);
    return isBound ? [message] : stripBoundReasoning([message], 0);
  });
}
