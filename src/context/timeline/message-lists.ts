import type { Message } from '../../core/conversation/message.ts';
import type { ViewEvent } from './event.ts';
import type { Row, TimelineData } from './timeline-data.ts';

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

/** Returns the messages of a view and all messages since. */
export function messagesOf({ rows, lineage }: TimelineData, view: ViewEvent | null): readonly Message[] {
  const shownAt = (row: number): Message => (rows[row] as Row).shown;
  const since = lineage.slice(view?.covers ?? 0).map(shownAt);
  if (view === null) return since;
  return [...view.items.map((item) => (typeof item === 'number' ? shownAt(item) : item)), ...since];
}
