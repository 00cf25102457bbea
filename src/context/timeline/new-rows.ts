import type { Message } from '../../core/conversation/message.ts';
import { createCallIndex, shownForm } from '../../core/reduce/insertion.ts';
import { chunksOf } from '../../core/search/chunks.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { ContextOptions } from '../options.ts';
import type { StoredMessage } from '../store/store.ts';
import { type Redactor, storedRow } from '../store/stored-rows.ts';
import type { Row } from './timeline-data.ts';

/** New messages as rows of the timeline and as texts for the store. */
export interface NewRows {
  readonly rows: readonly Row[];
  readonly stored: readonly StoredMessage[];
}

export interface RowMakerInput {
  readonly options: ContextOptions;
  readonly counter: TokenCounter;
  readonly now: () => number;
  readonly redact: Redactor;
  /** Rows that exist already. New results may answer their calls. */
  readonly earlier: readonly Row[];
}

/** Makes rows from messages: trims huge results, and redacts secrets if asked to. Throws for messages that cannot be stored. */
export function createRowMaker(input: RowMakerInput): (messages: readonly Message[]) => NewRows {
  const { options, counter, now, redact, earlier } = input;
  const calls = createCallIndex();
  for (const { message } of earlier) calls.learn(message);
  const rowFor = (message: Message): Row => {
    calls.learn(message);
    const redacted = redact(message) as Message;
    const shown = options.trim === false ? redacted : shownForm(redacted, calls, { trim: options.trim ?? {}, counter });
    // Requests carry the secrets as long as the process lives. The history, and everything made from it, never does.
    return { message: redacted, shown: shown === redacted ? message : shown, at: now() };
  };
  return (messages) => {
    const rows = messages.map(rowFor);
    return { rows, stored: rows.map((row) => storedRow(row, chunksOf(row.message, calls.callOf), redact)) };
  };
}
