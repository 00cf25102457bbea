import type { Message } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import type { TimelineEvent, ViewEvent } from './event.ts';

/** One message of the history, and the form it has in the view. */
export interface Row {
  readonly message: Message;
  /** The same message, or a shorter one when it was trimmed as it came in. */
  readonly shown: Message;
  readonly at: number;
}

export interface Birth {
  readonly view: string | null;
  readonly epoch: number;
}

/** The fields of a timeline while they are written. `Timeline` explains them. */
export interface TimelineData {
  readonly rows: Row[];
  readonly events: TimelineEvent[];
  readonly abandoned: (readonly number[])[];
  /** The view and the epoch that each row was added in: signed reasoning in it is bound to that view. */
  readonly born: Birth[];
  /** The epoch in which a row got another form, by row. */
  readonly amended: Map<number, number>;
  /** The epoch in which each view was made, by id. */
  readonly made: Map<string, number>;
  lineage: number[];
  views: ViewEvent[];
  viewsMade: number;
  current: ViewEvent | null;
  epoch: number;
  isPlainText: boolean;
}

export function addRows(data: TimelineData, rows: readonly Row[]): void {
  const birth: Birth = { view: data.current?.id ?? null, epoch: data.epoch };
  for (const row of rows) {
    data.lineage.push(data.rows.push(row) - 1);
    data.born.push(birth);
  }
  data.isPlainText &&= rows.every(({ message }) => message.parts.every((part) => part.type === 'text'));
}

export function recordEvent(data: TimelineData, event: TimelineEvent): void {
  data.events.push(event);
  // Another envelope changes no message of the view.
  if (event.type !== 'format') data.epoch++;
  switch (event.type) {
    case 'format':
      return;
    case 'view':
      data.viewsMade++;
      data.made.set(event.id, data.epoch);
      data.views.push(event);
      data.current = event;
      return;
    case 'select':
      data.current = findView(data, event.id);
      return;
    case 'amend': {
      const row = data.rows[event.row];
      if (row !== undefined) data.rows[event.row] = { ...row, message: event.message, shown: event.shown };
      // A prompt that the host itself changes is its own affair.
      if (event.message.role !== 'system') data.amended.set(event.row, data.epoch);
      data.isPlainText = false;
      return;
    }
    case 'rewind':
      rewind(data, event.keep);
  }
}

/** Finds the event that made a view; null means the whole history. */
export function findView({ views }: Pick<TimelineData, 'views'>, id: string | null): ViewEvent | null {
  if (id === null) return null;
  const view = views.find((each) => each.id === id);
  if (view !== undefined) return view;
  const ids = views.map((each) => each.id).join(', ') || 'none';
  throw new PrecisError('bad-option', `Expected the id of a compaction, one of ${ids}, got \`${id}\``, { id });
}

function rewind(data: TimelineData, keep: number): void {
  data.abandoned.push(data.lineage);
  data.lineage = data.lineage.slice(0, keep);
  // Views that cover abandoned messages are gone; the newest view before them is current again.
  while (data.current !== null && data.current.covers > keep) data.current = findView(data, data.current.before);
  data.views = data.views.filter((view) => view.covers <= keep);
}
