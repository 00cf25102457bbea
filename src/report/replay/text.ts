import type { ReplayMetrics } from '../../replay/metrics/metrics.ts';
import type { ReplaySummary } from '../../replay/metrics/summary.ts';
import { counted, percent, whole } from '../figures.ts';
import { caveats } from './caveats.ts';
import { between, comparedWithNone, factsText, money, toOptimumText } from './replay-figures.ts';

/** Writes a replay as a table for people. */
export function replayText(summary: ReplaySummary): string {
  const requests = summary.sessions.reduce((sum, session) => sum + session.requests, 0);
  const fitting = summary.sessions.filter(({ fits }) => fits).length;
  const lines = [
    `${counted(summary.sessions.length, 'session')}, ${counted(requests, 'request')}, window ${whole(summary.window)} tokens; ${whole(fitting)} fit it without a cut.`,
  ];
  for (const { id } of summary.prices) {
    const rows = summary.pooled.filter(({ rules }) => rules === id);
    lines.push('', ...tableText([HEADINGS, ...rows.map((row) => cellsOf(row, summary))], id));
  }
  const notes = summary.pooled.flatMap(troubleOf);
  if (notes.length > 0) lines.push('', ...new Set(notes));
  lines.push('', ...caveats(summary).map((text) => `- ${text}`));
  for (const { session, error } of summary.failures) lines.push(`- Not replayed: ${session}: ${error}`);
  return `${lines.join('\n')}\n`;
}

const HEADINGS: readonly string[] = [
  'policy',
  'cost',
  'vs none',
  'events/100',
  'between',
  'prune:sum',
  'calls',
  'hits',
  'facts',
  '× best',
];

function cellsOf(row: ReplayMetrics, summary: ReplaySummary): readonly string[] {
  return [
    row.policy,
    money(row.usd),
    comparedWithNone(row, summary.pooled),
    row.eventsPer100.toFixed(2),
    between(row),
    `${row.kinds.prune}:${row.kinds.summary}`,
    whole(row.auxiliary.calls),
    percent(row.hitRatio, 0),
    factsText(row),
    toOptimumText(summary, row),
  ];
}

function troubleOf({ policy, forced, failed, stuck }: ReplayMetrics): readonly string[] {
  return [
    ...(forced > 0 ? [`${policy}: the window forced ${counted(forced, 'cut')}.`] : []),
    ...(failed > 0 ? [`${policy}: ${counted(failed, 'session')} exceeded the window whatever was cut.`] : []),
    ...(stuck > 0
      ? [`${policy}: STUCK in ${counted(stuck, 'session')}, two events in a row freed less than 5 %.`]
      : []),
  ];
}

/** Aligns the first column left and the others right, and leaves out columns without information. */
function tableText(rows: readonly (readonly string[])[], title: string): readonly string[] {
  const used = HEADINGS.map((_, column) => column === 0 || rows.slice(1).some((row) => row[column] !== '–'));
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .flatMap((cell, column) =>
        used[column] === true
          ? [column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)]
          : [],
      )
      .join('  '),
  );
  return [title, ...lines.map((line) => `  ${line}`)];
}
