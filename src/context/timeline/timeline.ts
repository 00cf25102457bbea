import type { Message } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';

/** One message of the history, and the form it has in the view. */
export interface Row {
  readonly message: Message;
  /** The same message, or a shorter one when it was trimmed as it came in. */
  readonly shown: Message;
  readonly at: number;
}

/** A message of a view: a row of the history by its number, counted from 0, or one that a compaction wrote. */
export type ViewItem = number | Message;

/** What was done to the view. `rows` says how many rows there were by then, so that rows and events can be put in order again. */
export type ContextEvent =
  | {
      readonly type: 'view';
      readonly id: string;
      readonly rows: number;
      /** How many messages of the history the items stand for. */
      readonly covers: number;
      readonly items: readonly ViewItem[];
      /** The view it was made from: null for the history itself. */
      readonly before: string | null;
      readonly receipt: Receipt;
      /** Requests made so far. */
      readonly turn: number;
      readonly at: number;
    }
  | {
      readonly type: 'select';
      readonly rows: number;
      /** The view to go back to: null for the history itself. */
      readonly id: string | null;
      readonly cause: 'undo' | 'restore';
      readonly at: number;
    }
  /** The host went back: only so many messages of the history count from here on. */
  | { readonly type: 'rewind'; readonly rows: number; readonly keep: number; readonly at: number }
  /** A message has another form: a call that nobody will answer was taken out, the system prompt changed, a trimmed result is whole again. */
  | {
      readonly type: 'amend';
      readonly rows: number;
      readonly row: number;
      readonly message: Message;
      readonly shown: Message;
      readonly at: number;
    }
  /** The wire the context speaks, and what stands around the messages; told anew when that changes. */
  | {
      readonly type: 'format';
      readonly rows: number;
      readonly format: string;
      readonly envelope: unknown;
      /** The key of the envelope that holds the messages; null without an envelope. */
      readonly list: string | null;
      readonly at: number;
    };

export type ViewEvent = Extract<ContextEvent, { readonly type: 'view' }>;

/**
 * The record of a context: all rows ever said, which of them count now, and the views made of them. Grows at its end only; a view is looked up,
 * never rewritten.
 */
export interface Timeline {
  readonly rows: readonly Row[];
  /** Numbers of the rows that count now, in order. */
  readonly lineage: readonly number[];
  /** What counted before each time the host went back: views of it were sent, and their refs still resolve. */
  readonly left: readonly (readonly number[])[];
  readonly events: readonly ContextEvent[];
  /** Views that can be gone back to, oldest first. */
  readonly views: readonly ViewEvent[];
  readonly current: ViewEvent | null;
  /** How often the view has changed in any other way than by growing. */
  readonly epoch: number;
  add(rows: readonly Row[]): void;
  record(event: ContextEvent): void;
  /** Another object for the same message. */
  replace(row: number, by: Row): void;
  /** The messages that are sent, in the form they are sent in. */
  view(): readonly Message[];
  history(): readonly Message[];
  /** Messages of the history from an index on; a negative one counts from the end. */
  tail(from: number): readonly Message[];
  /** Messages of the history that stand in the view in a shorter form. */
  shown(): ReadonlyMap<Message, Message>;
  viewOf(id: string | null): readonly Message[];
  nextViewId(): string;
}

export function createTimeline(): Timeline {
  const rows: Row[] = [];
  const events: ContextEvent[] = [];
  const left: (readonly number[])[] = [];
  let lineage: number[] = [];
  let views: ViewEvent[] = [];
  let current: ViewEvent | null = null;
  let epoch = 0;
  let made = 0;

  /** What is asked for with every request, kept as it grows. Handed out as copies, which cost next to nothing. */
  let kept: {
    readonly epoch: number;
    readonly view: Message[];
    readonly history: Message[];
    readonly shown: Map<Message, Message>;
  } | null = null;
  const shownAt = (row: number): Message => (rows[row] as Row).shown;
  const lists = (): NonNullable<typeof kept> => {
    const isNew = kept?.epoch !== epoch;
    if (kept === null || isNew) kept = { epoch, view: [...messagesOf(current)], history: [], shown: new Map() };
    for (let at = kept.history.length; at < lineage.length; at++) {
      const { message, shown } = rows[lineage[at] as number] as Row;
      kept.history.push(message);
      if (!isNew) kept.view.push(shown);
      if (shown !== message) kept.shown.set(message, shown);
    }
    return kept;
  };
  const messagesOf = (view: ViewEvent | null): readonly Message[] => {
    const grown = lineage.slice(view?.covers ?? 0).map(shownAt);
    if (view === null) return grown;
    return [...view.items.map((item) => (typeof item === 'number' ? shownAt(item) : item)), ...grown];
  };
  const find = (id: string | null): ViewEvent | null => {
    if (id === null) return null;
    const view = views.find((each) => each.id === id);
    if (view !== undefined) return view;
    const known = views.map((each) => each.id).join(', ') || 'none';
    throw new PrecisError('bad-option', `Expected the id of a compaction, one of ${known}, got \`${id}\``, { id });
  };

  return {
    rows,
    events,
    left,
    get lineage() {
      return lineage;
    },
    get views() {
      return views;
    },
    get current() {
      return current;
    },
    get epoch() {
      return epoch;
    },
    add(added) {
      for (const row of added) lineage.push(rows.push(row) - 1);
    },
    record(event) {
      events.push(event);
      if (event.type === 'format') return;
      epoch++;
      if (event.type === 'amend') {
        const row = rows[event.row];
        if (row !== undefined) rows[event.row] = { ...row, message: event.message, shown: event.shown };
      } else if (event.type === 'view') {
        made++;
        views.push(event);
        current = event;
      } else if (event.type === 'select') current = find(event.id);
      else {
        left.push(lineage);
        lineage = lineage.slice(0, event.keep);
        // The view that was there before those which stand for messages that no longer count.
        while (current !== null && current.covers > event.keep) current = find(current.before);
        views = views.filter((view) => view.covers <= event.keep);
      }
    },
    replace(row, by) {
      rows[row] = by;
      kept = null;
    },
    view: () => lists().view.slice(),
    history: () => lists().history.slice(),
    shown: () => lists().shown,
    tail: (from) => lineage.slice(from).map((row) => (rows[row] as Row).message),
    viewOf: (id) => messagesOf(find(id)),
    nextViewId: () => `c${made + 1}`,
  };
}

/** Rows and events of a store, put in order again. */
export function replayTimeline(rows: readonly Row[], events: readonly ContextEvent[]): Timeline {
  const timeline = createTimeline();
  let added = 0;
  for (const event of events) {
    timeline.add(rows.slice(added, event.rows));
    added = Math.max(added, event.rows);
    timeline.record(event);
  }
  timeline.add(rows.slice(added));
  return timeline;
}
