import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import { heuristicCounter, type TokenCounter } from '../../core/tokens/counter.ts';
import type { Screen } from '../world.ts';
import { type Paint, paintFor, whole } from './paint.ts';
import { receiptRows } from './receipt-rows.ts';
import { rowsText } from './rows.ts';
import { barsText, sharesOf } from './token-bars.ts';

export interface ReceiptTextInput {
  readonly receipt: Receipt;
  readonly before: Conversation;
  readonly after: Conversation;
  readonly counter: TokenCounter;
  readonly screen: Screen;
}

/** A receipt for people: what was there, what is left, what was kept, what it costs the cache. */
export function receiptText({ receipt, before, after, counter, screen }: ReceiptTextInput): string {
  const paint = paintFor(screen);
  const lines = [...rowsText(receiptRows(receipt), screen), ''];
  // Counting exactly takes as long as compacting did; for sessions beyond any window an estimate is as telling.
  const isHuge = receipt.tokens.before > EXACT_TOKENS;
  const shares = sharesOf(before, after, isHuge ? heuristicCounter : counter);
  if (shares.length > 0) lines.push(...barsText(shares, screen, paint), '');
  lines.push(...notesText(receipt.notes, paint));
  return `${lines.join('\n')}\n`;
}

const EXACT_TOKENS = 2_000_000;

const SHOWN_NOTES = 10;

/** What was mended. A broken log can have thousands of notes; the JSON receipt holds them all. */
export function notesText(notes: readonly string[], paint: Paint): readonly string[] {
  const shown = notes.slice(0, SHOWN_NOTES).map((note) => `${paint('yellow', 'note:')} ${note}`);
  const more = notes.length - shown.length;
  return more > 0
    ? [...shown, `${paint('yellow', 'note:')} and ${whole(more)} more; \`--json\` lists them all`]
    : shown;
}
