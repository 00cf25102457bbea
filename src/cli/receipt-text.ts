import type { Conversation } from '../core/conversation/conversation.ts';
import { isHandoff } from '../core/handoff/record.ts';
import type { Receipt } from '../core/receipt.ts';
import { breakdown } from '../core/tokens/breakdown.ts';
import { heuristicCounter } from '../core/tokens/counter.ts';
import { createMeasure } from '../core/tokens/measure.ts';

export interface ReceiptTextInput {
  readonly name: string;
  readonly receipt: Receipt;
  readonly before: Conversation;
  readonly after: Conversation;
  /** Where the result was written; null when it was not. */
  readonly out: string | null;
}

/** A receipt for people: what was there, what is left, what was kept, what it costs the cache. */
export function receiptText({ name, receipt, before, after, out }: ReceiptTextInput): string {
  const { tokens, messages, facts, cache } = receipt;
  const lines = [
    `${name}: ${receipt.outcome}`,
    '',
    row(
      'tokens',
      `${whole(tokens.before)} → ${whole(tokens.after)}`,
      `${percent(tokens.after, tokens.before)} of what was there; target ${whole(tokens.target)}`,
    ),
    row(
      'messages',
      `${whole(messages.before)} → ${whole(messages.after)}`,
      receipt.edits.length === 0 ? '' : editsText(receipt),
    ),
  ];
  if (facts.critical > 0)
    lines.push(
      row(
        'facts',
        `${whole(facts.kept)} of ${whole(facts.critical)} kept`,
        `that must not be lost; ${facts.recoverable} more behind refs, ${facts.lost} lost`,
      ),
    );
  if (cache.earliestChangedIndex >= 0)
    lines.push(
      row(
        'cache',
        `from message ${cache.earliestChangedIndex + 1}`,
        `${whole(cache.invalidatedTokens)} tokens of a cached prompt are read anew once`,
      ),
    );
  lines.push('', ...shares(before, after));
  for (const note of receipt.notes) lines.push(`note: ${note}`);
  lines.push(
    out === null
      ? 'Nothing was written; add `--out FILE` to keep the result.'
      : `${receipt.outcome === 'unchanged' ? 'Copied' : 'Written'} to ${out === '-' ? 'standard output' : out} in ${receipt.ms} ms.`,
  );
  return `${lines.join('\n')}\n`;
}

function editsText({ edits }: Receipt): string {
  const count = (kinds: readonly string[]): number =>
    edits.filter((edit) => kinds.includes(edit.kind)).reduce((sum, edit) => sum + edit.to - edit.from + 1, 0);
  const folded = count(['fold']);
  const condensed = count(['condense', 'dedupe']);
  return [
    folded > 0 ? `${whole(folded)} folded into a handoff` : '',
    condensed > 0 ? `${whole(condensed)} condensed` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** A bar for each sort of content, before and after, on one scale. */
function shares(before: Conversation, after: Conversation): readonly string[] {
  const measure = createMeasure(heuristicCounter);
  const handoff = after.messages.filter(isHandoff);
  const was = breakdown(before.messages, measure);
  const is = breakdown(
    after.messages.filter((message) => !isHandoff(message)),
    measure,
  );
  const rows: readonly (readonly [string, number, number])[] = [
    ['system', was.system, is.system],
    ['user', was.user, is.user],
    ['assistant', was.assistant, is.assistant],
    ['tool calls', was.calls, is.calls],
    ['tool output', was.output, is.output],
    ['handoff', 0, measure.messages(handoff)],
  ];
  const most = Math.max(1, ...rows.map(([, old]) => old));
  const shown = rows.filter(([, old, now]) => old > 0 || now > 0);
  return shown.length === 0
    ? []
    : [
        '  what            before    after',
        ...shown.map(
          ([label, old, now]) =>
            `  ${label.padEnd(12)} ${whole(old).padStart(9)} ${whole(now).padStart(8)}  ${bar(old, now, most)}`,
        ),
        '',
      ];
}

const BAR_CELLS = 36;

/** Full cells are what is left, light ones what went. */
function bar(old: number, now: number, most: number): string {
  const cells = (value: number): number => (value === 0 ? 0 : Math.max(1, Math.round((value / most) * BAR_CELLS)));
  const left = Math.min(BAR_CELLS, cells(now));
  return '█'.repeat(left) + '░'.repeat(Math.max(0, Math.min(BAR_CELLS, cells(old)) - left));
}

function row(label: string, value: string, remark: string): string {
  return `  ${label.padEnd(10)}${value.padEnd(22)}${remark}`.trimEnd();
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

function percent(part: number, of: number): string {
  return of === 0 ? '0 %' : `${((100 * part) / of).toFixed(1)} %`;
}
