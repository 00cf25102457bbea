import type { Message } from '../../core/conversation/message.ts';
import type { TimelineEvent, ViewEvent } from './event.ts';
import { createMessageLists, messagesOf } from './message-lists.ts';
import { addRows, findView, type Row, recordEvent, type TimelineData } from './timeline-data.ts';

/**
 * The record of a context: all rows ever said, the rows that count now, and the views made from them. It only grows at its end. Going back
 * selects an earlier view and rewrites nothing.
 */
export interface Timeline {
  readonly rows: readonly Row[];
  /** Numbers of the rows that count now, in order. */
  readonly lineage: readonly number[];
  /** The lineages that the host went back from. Their views were sent, so their refs must still resolve. */
  readonly abandoned: readonly (readonly number[])[];
  readonly events: readonly TimelineEvent[];
  /** Views that the host can go back to, oldest first. */
  readonly views: readonly ViewEvent[];
  readonly current: ViewEvent | null;
  /** Number of changes to the view other than growing. */
  readonly epoch: number;
  /** True while only plain text was said, which most formats allow. */
  readonly isPlainText: boolean;
  add(rows: readonly Row[]): void;
  record(event: TimelineEvent): void;
  /** Replaces the object of a row by another one for the same message. */
  replace(row: number, by: Row): void;
  /** The messages that are sent, in the form they are sent in. */
  view(): readonly Message[];
  history(): readonly Message[];
  /** Messages of the history that the view shows in a shorter form. */
  shown(): ReadonlyMap<Message, Message>;
  /** Returns the messages of a view. Throws for an unknown id. */
  viewOf(id: string | null): readonly Message[];
  nextViewId(): string;
}

export function createTimeline(): Timeline {
  const data: TimelineData = {
    rows: [],
    events: [],
    abandoned: [],
    born: [],
    amended: new Map(),
    made: new Map(),
    lineage: [],
    views: [],
    viewsMade: 0,
    current: null,
    epoch: 0,
    isPlainText: true,
  };
  const lists = createMessageLists(data);
  const methods: Omit<Timeline, keyof TimelineData> = {
    add: (rows) => addRows(data, rows),
    record: (event) => recordEvent(data, event),
    replace(row, by) {
      data.rows[row] = by;
      lists.forget();
    },
    // Callers get copies, which cost almost nothing.
    view: () => lists.current().view.slice(),
    history: () => lists.current().history.slice(),
    shown: () => lists.current().shown,
    viewOf: (id) => messagesOf(data, findView(data, id)),
    nextViewId: () => `c${data.viewsMade + 1}`,
  };
  return Object.assign(data, methods);
}

/** Adds stored rows and events to a timeline, in their original order. */
export function addStored(timeline: Timeline, rows: readonly Row[], events: readonly TimelineEvent[]): Timeline {
  let added = 0;
  for (const event of events) {
    const missing = Math.max(0, event.rows - timeline.rows.length);
    timeline.add(rows.slice(added, added + missing));
    added += missing;
    timeline.record(event);
  }
  timeline.add(rows.slice(added));
  return timeline;
}
