import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import { isHandoff } from '../../core/record/handoff/handoff-message.ts';
import { breakdown } from '../../core/tokens/breakdown.ts';
import { heuristicCounter, type TokenCounter } from '../../core/tokens/counter.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import type { Screen } from '../world.ts';
import { type Color, counted, type Paint, paintFor, whole } from './paint.ts';

export interface ReceiptTextInput {
  readonly receipt: Receipt;
  readonly before: Conversation;
  readonly after: Conversation;
  readonly counter: TokenCounter;
  readonly screen: Screen;
}

/** A line of figures: what, how many, what that means, and whether that is good. */
export type Row = readonly [label: string, value: string, remark: string, color?: Color];

/** A receipt for people: what was there, what is left, what was kept, what it costs the cache. */
export function receiptText({ receipt, before, after, counter, screen }: ReceiptTextInput): string {
  const paint = paintFor(screen);
  const lines = [...rowsText(receiptRows(receipt), paint), ''];
  // Counting exactly takes as long as compacting did; for sessions beyond any window an estimate is as telling.
  const isHuge = receipt.tokens.before > EXACT_TOKENS;
  const shares = sharesOf(before, after, isHuge ? heuristicCounter : counter);
  if (shares.length > 0) lines.push(...barsText(shares, screen, paint), '');
  lines.push(...notesText(receipt.notes, paint));
  return `${lines.join('\n')}\n`;
}

export function receiptRows({
  outcome,
  tokens,
  messages,
  facts,
  cache,
  edits,
  writer,
  calls,
}: Receipt): readonly Row[] {
  if (outcome === 'unchanged')
    return [
      [
        'tokens',
        whole(tokens.before),
        `within ${whole(tokens.before <= tokens.target ? tokens.target : tokens.threshold)}, so there is nothing to do`,
      ],
      ['messages', whole(messages.before), ''],
    ];
  const rows: Row[] = [
    [
      'tokens',
      `${whole(tokens.before)} → ${whole(tokens.after)}`,
      `${share(tokens.after, tokens.before)} left, target ${whole(tokens.target)}`,
    ],
    ['messages', `${whole(messages.before)} → ${whole(messages.after)}`, editsText(edits)],
  ];
  if (writer.model !== null) rows.push(summaryRow(outcome, writer, calls));
  if (facts.critical > 0) {
    const all = facts.kept === facts.critical && facts.critical > 1;
    const color = facts.lost > 0 ? 'red' : facts.recoverable > 0 ? 'yellow' : 'green';
    rows.push(
      all
        ? ['facts', `all ${whole(facts.kept)} kept`, 'that must not be lost', color]
        : [
            'facts',
            `${whole(facts.kept)} of ${whole(facts.critical)} kept`,
            `${whole(facts.recoverable)} behind refs, ${whole(facts.lost)} lost`,
            color,
          ],
    );
  }
  if (cache.earliestChangedIndex >= 0)
    rows.push([
      'cache',
      `${whole(Math.max(0, tokens.after - tokens.before + cache.invalidatedTokens))} tokens`,
      `cached anew, from message ${whole(cache.earliestChangedIndex + 1)} on`,
    ]);
  return rows;
}

export function rowsText(rows: readonly Row[], paint: Paint): readonly string[] {
  const wide = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length)) + 3;
  return rows.map(([label, value, remark, color = 'bold']) =>
    `  ${paint('dim', label)}${' '.repeat(wide(0) - label.length)}${paint(color, value)}${' '.repeat(wide(1) - value.length)}${remark}`.trimEnd(),
  );
}

/** What a model had to do with it. */
function summaryRow(
  outcome: Receipt['outcome'],
  { model, validation }: Receipt['writer'],
  calls: Receipt['calls'],
): Row {
  const tokens = (of: 'inputTokens' | 'outputTokens'): number => calls.reduce((sum, call) => sum + (call[of] ?? 0), 0);
  const read = `${counted(calls.length, 'call')}, ${whole(tokens('inputTokens'))} tokens read, ${whole(tokens('outputTokens'))} written`;
  if (outcome === 'fell-back') return ['summary', 'none used', `${model}: ${whyNot(validation)}; ${read}`, 'yellow'];
  return ['summary', counted(Number(validation['linesUsed'] ?? 0), 'line'), `by ${model}, ${read}`];
}

function whyNot({ rejected, lines, failures }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(failures) && failures.length > 0) return String(failures[0]).replace(/\.$/, '');
  const reasons = typeof rejected === 'object' && rejected !== null ? Object.keys(rejected) : [];
  if (reasons.length > 0) return reasons.join(', ');
  return lines === 0 ? 'no line passed the checks' : 'quotes alone kept more';
}

function editsText(edits: Receipt['edits']): string {
  const count = (kinds: readonly string[]): number =>
    edits.filter((edit) => kinds.includes(edit.kind)).reduce((sum, edit) => sum + edit.to - edit.from + 1, 0);
  const folded = count(['fold']);
  const condensed = count(['condense', 'dedupe', 'trim']);
  return [
    folded > 0 ? `${whole(folded)} folded into a handoff` : '',
    condensed > 0 ? `${whole(condensed)} condensed` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

const EXACT_TOKENS = 2_000_000;

type Share = readonly [label: string, before: number, after: number];

/** Tokens of each sort of content. Sorts that never occur are left out. */
function sharesOf(before: Conversation, after: Conversation, counter: TokenCounter): readonly Share[] {
  const measure = createMeasure(counter);
  const sizes = ({ messages }: Conversation): readonly number[] => {
    const { system, user, assistant, calls, output } = breakdown(
      messages.filter((message) => !isHandoff(message)),
      measure,
    );
    return [system, user, assistant, calls, output, measure.messages(messages.filter(isHandoff))];
  };
  const was = sizes(before);
  const is = before === after ? was : sizes(after);
  return SORTS.map((label, index): Share => [label, was[index] ?? 0, is[index] ?? 0]).filter(
    ([, old, now]) => old > 0 || now > 0,
  );
}

const SORTS = ['system', 'user', 'assistant', 'tool calls', 'tool output', 'handoff'] as const;
const MOST_CELLS = 40;

/** A bar for each sort of content on one scale: full cells are what is left, light ones what went. */
function barsText(shares: readonly Share[], { columns }: Screen, paint: Paint): readonly string[] {
  const most = Math.max(1, ...shares.flatMap(([, old, now]) => [old, now]));
  const digits = Math.max('before'.length, whole(most).length);
  const labels = Math.max(...shares.map(([label]) => label.length));
  const room = Math.max(8, Math.min(MOST_CELLS, columns - labels - 2 * digits - 9));
  const cells = (value: number): number => (value === 0 ? 0 : Math.max(1, Math.round((value / most) * room)));
  const isChanged = shares.some(([, old, now]) => old !== now);
  const figures = (old: string, now: string): string =>
    isChanged ? `${old.padStart(digits)}  ${now.padStart(digits)}` : old.padStart(digits);
  return [
    `  ${' '.repeat(labels)}  ${paint('dim', isChanged ? figures('before', 'after') : figures('tokens', ''))}`,
    ...shares.map(([label, old, now]) => {
      const left = cells(now);
      const gone = '░'.repeat(Math.max(0, cells(old) - left));
      const bar = `${paint(label === 'handoff' ? 'cyan' : 'green', '█'.repeat(left))}${paint('dim', gone)}`;
      return `  ${label.padEnd(labels)}  ${figures(whole(old), whole(now))}  ${bar}`;
    }),
  ];
}

const SHOWN_NOTES = 10;

/** What was mended. A broken log can have thousands of notes; the JSON receipt holds them all. */
export function notesText(notes: readonly string[], paint: Paint): readonly string[] {
  const shown = notes.slice(0, SHOWN_NOTES).map((note) => `${paint('yellow', 'note:')} ${note}`);
  const more = notes.length - shown.length;
  return more > 0
    ? [...shown, `${paint('yellow', 'note:')} and ${whole(more)} more; \`--json\` lists them all`]
    : shown;
}

function share(part: number, of: number): string {
  if (of === 0) return '0 %';
  const percent = (100 * part) / of;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
