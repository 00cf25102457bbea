import type { ReplayMetrics } from '../../replay/metrics/metrics.ts';
import type { ReplaySummary } from '../../replay/metrics/summary.ts';
import { counted, percent, whole } from '../figures.ts';
import { textTable, wrapped } from '../text-table.ts';
import { caveats } from './caveats.ts';
import { between, comparedWithNone, factsText, money, toOptimumText } from './replay-figures.ts';

const COLUMNS = 80;

/** Writes a replay as a table for people, in at most 80 characters per line. */
export function replayText(summary: ReplaySummary): string {
  const { sessions } = summary;
  const requests = sessions.reduce((sum, session) => sum + session.requests, 0);
  const fitting = sessions.filter(({ fits }) => fits).length;
  const head = `${counted(sessions.length, 'session')}, ${counted(requests, 'request')}, window ${whole(summary.window)} tokens; ${whole(fitting)} of ${whole(sessions.length)} fit without a cut.`;
  const troubles = new Set(summary.pooled.flatMap(troubleOf));
  const failures = summary.failures.map(({ session, error }) => `Not replayed: ${session}: ${error}`);
  const notes = [...caveats(summary), ...failures].flatMap((text) => wrapped(`- ${text}`, COLUMNS, '  '));
  const tables = summary.prices.flatMap(({ id }) => ['', ...policyTable(summary, id)]);
  const blocks = [
    ...wrapped(head, COLUMNS),
    ...tables,
    '',
    ...wrapped(LEGEND, COLUMNS),
    ...(troubles.size === 0 ? [] : ['', ...[...troubles].flatMap((text) => wrapped(text, COLUMNS, '  '))]),
    '',
    ...notes,
  ];
  return `${blocks.join('\n')}\n`;
}

const LEGEND =
  'cuts: per 100 requests. gap: requests between cuts. calls: to a summariser. hits: prompt tokens read from the cache. facts: in the view at the end. × best: cost against the optimum, which cannot trim results and may be beaten by policies that do.';

type Column = readonly [string, (row: ReplayMetrics, summary: ReplaySummary) => string];

const TABLE: readonly Column[] = [
  ['policy', ({ policy }) => policy],
  ['cost', ({ usd }) => money(usd)],
  ['vs none', (row, summary) => comparedWithNone(row, summary.pooled)],
  ['cuts', ({ eventsPer100 }) => eventsPer100.toFixed(2)],
  ['gap', between],
  ['calls', ({ auxiliary }) => whole(auxiliary.calls)],
  ['hits', ({ hitRatio }) => percent(hitRatio, 0)],
  ['facts', factsText],
  ['× best', (row, summary) => toOptimumText(summary, row)],
];

/** The policies under one provider's prices. Columns without information are left out. */
function policyTable(summary: ReplaySummary, prices: string): readonly string[] {
  const rows = summary.pooled.filter(({ rules }) => rules === prices);
  const cells = rows.map((row) => TABLE.map(([, cellOf]) => cellOf(row, summary)));
  const used = TABLE.map((_, column) => column === 0 || cells.some((line) => line[column] !== '–'));
  const shown = (line: readonly string[]): readonly string[] => line.filter((_, column) => used[column]);
  const lines = textTable(shown(TABLE.map(([title]) => title)), cells.map(shown), COLUMNS - 2);
  return [prices, ...lines.map((line) => `  ${line}`)];
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
