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

/** A receipt for people: figures, a bar for each sort of content, and notes. */
export function receiptText({ receipt, before, after, counter, screen }: ReceiptTextInput): string {
  const paint = paintFor(screen);
  const lines = [...rowsText(receiptRows(receipt), screen), ''];
  // An exact count takes as long as the compaction did; beyond the size of any window, an estimate says as much.
  const isHuge = receipt.tokens.before > EXACT_TOKENS;
  const shares = sharesOf(before, after, isHuge ? heuristicCounter : counter);
  if (shares.length > 0) lines.push(...barsText(shares, screen, paint), '');
  lines.push(...notesText(receipt.notes, paint));
  return `${lines.join('\n')}\n`;
}

const EXACT_TOKENS = 2_000_000;

const SHOWN_NOTES = 10;

/** The first notes. A broken log can have thousands of them; the JSON receipt holds them all. */
export function notesText(notes: readonly string[], paint: Paint): readonly string[] {
  const shown = notes.slice(0, SHOWN_NOTES).map((note) => `${paint('yellow', 'note:')} ${note}`);
  const more = notes.length - shown.length;
  return more > 0
    ? [...shown, `${paint('yellow', 'note:')} and ${whole(more)} more; \`--json\` lists them all`]
    : shown;
}
