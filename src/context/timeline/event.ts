import type { Message } from '../../core/conversation/message.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';

/** A message of a view: the number of a history row, counted from 0, or a message that a compaction wrote. */
export type ViewItem = number | Message;

/** One change to the view. `rows` is the number of rows at that time, so that rows and events can be put in order again. */
export type TimelineEvent =
  | {
      readonly type: 'view';
      readonly id: string;
      readonly rows: number;
      /** Number of history messages that the items cover. */
      readonly covers: number;
      readonly items: readonly ViewItem[];
      /** The view that was compacted; null for the history itself. */
      readonly before: string | null;
      readonly receipt: Receipt;
      /** Requests made so far. */
      readonly turn: number;
      /** Milliseconds since 1970, as in every event. */
      readonly at: number;
    }
  | {
      readonly type: 'select';
      readonly rows: number;
      /** The view to go back to; null for the history itself. */
      readonly id: string | null;
      readonly cause: 'undo' | 'restore';
      readonly at: number;
    }
  /** The host went back: from here on only the first `keep` messages of the history count. */
  | { readonly type: 'rewind'; readonly rows: number; readonly keep: number; readonly at: number }
  /** A message got another form: an unanswered call was removed, the system prompt changed, or a trimmed result became whole again. */
  | {
      readonly type: 'amend';
      readonly rows: number;
      readonly row: number;
      readonly message: Message;
      readonly shown: Message;
      readonly at: number;
    }
  /** The wire format of the context and the request around its messages. It is recorded again when either changes. */
  | {
      readonly type: 'format';
      readonly rows: number;
      readonly format: string;
      readonly envelope: unknown;
      /** The key of the envelope that holds the messages; null without an envelope. */
      readonly list: string | null;
      readonly at: number;
    };

/** A compaction in the record of a context: its id, its receipt, and the view it made. */
export type ViewEvent = Extract<TimelineEvent, { readonly type: 'view' }>;

export type FormatEvent = Extract<TimelineEvent, { readonly type: 'format' }>;
