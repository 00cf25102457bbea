import type { Receipt } from '../../core/receipt/receipt.ts';
import type { Account } from '../../core/tokens/account.ts';
import { counted, whole } from './paint.ts';
import type { Row } from './rows.ts';

export function receiptRows({
  outcome,
  tokens,
  account,
  messages,
  facts,
  cache,
  edits,
  writer,
  calls,
  reason,
}: Receipt): readonly Row[] {
  if (outcome === 'unchanged')
    return [
      ['tokens', whole(tokens.before), unchangedText(reason, tokens)],
      ...fixedRow(account.after),
      ['messages', whole(messages.before), ''],
    ];
  const rows: Row[] = [
    [
      'tokens',
      `${whole(tokens.before)} → ${whole(tokens.after)}`,
      `${share(tokens.after, tokens.before)} left, target ${whole(tokens.target)}`,
    ],
    ...fixedRow(account.after),
    ['messages', `${whole(messages.before)} → ${whole(messages.after)}`, editsText(edits)],
  ];
  if (writer.model !== null) rows.push(summaryRow(outcome, writer, calls));
  if (facts.critical > 0) {
    const all = facts.kept === facts.critical && facts.critical > 1;
    const color = facts.lost > 0 ? 'red' : facts.recoverable > 0 ? 'yellow' : 'green';
    rows.push(
      all
        ? ['critical facts', `all ${whole(facts.kept)} kept`, '', color]
        : [
            'critical facts',
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
      `to cache again, from message ${whole(cache.earliestChangedIndex + 1)} on`,
    ]);
  return rows;
}

function unchangedText(reason: string, { before, target, threshold }: Receipt['tokens']): string {
  const limit = before <= target ? target : threshold;
  return before <= limit ? `within ${whole(limit)}, so there is nothing to do` : reason;
}

/** The part of the request that no compaction can cut, when there is one. */
function fixedRow({ tools, provider }: Account): readonly Row[] {
  return tools + provider === 0 ? [] : [['of them tools', whole(tools + provider), 'in the request, never cut']];
}

/** How much of a model's summary was used, and the calls it took. */
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
  const retold = count(['retell']);
  return [
    folded > 0 ? `${whole(folded)} folded into a handoff` : '',
    condensed > 0 ? `${whole(condensed)} condensed` : '',
    retold > 0 ? `${whole(retold)} told as text` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

function share(part: number, of: number): string {
  if (of === 0) return '0 %';
  const percent = (100 * part) / of;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
