import type { ReplayMetrics } from '../../replay/metrics/metrics.ts';
import type { ReplaySummary } from '../../replay/metrics/summary.ts';
import { counted, percent, whole } from '../figures.ts';
import { markdownTable } from '../text-table.ts';
import { caveats } from './caveats.ts';
import { between, comparedWithNone, factsText, money, thousands, toOptimumText } from './replay-figures.ts';

/** Writes a replay as Markdown: cost, the seven metrics, where the money went, and each session. */
export function replayMarkdown(summary: ReplaySummary): string {
  const parts = [
    '# Replay',
    `${counted(summary.sessions.length, 'session')} in a window of ${whole(summary.window)} tokens.`,
    summary.policies.map(({ id, note }) => `- \`${id}\`: ${note}`).join('\n'),
    ...summary.prices.flatMap(({ id, title }) => {
      const rows = summary.pooled.filter(({ rules }) => rules === id);
      const fitting = summary.fitting.filter(({ rules }) => rules === id);
      return [
        `## ${title} (\`${id}\`)`,
        overview(rows, summary),
        '### The seven metrics',
        sevenMetrics(rows),
        '### Where the money went',
        moneySplit(rows),
        '### Context and payback',
        contextTable(rows),
        ...(fitting.length === 0
          ? []
          : [`### The ${fitting[0]?.sessions} sessions that fit the window`, fittingTable(fitting, summary)]),
      ];
    }),
    '## Sessions',
    sessionTable(summary),
    '## What this does not say',
    [
      ...caveats(summary).map((text) => `- ${text}`),
      ...summary.failures.map(({ session, error }) => `- Not replayed: ${cell(session)}: ${cell(error)}`),
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function overview(rows: readonly ReplayMetrics[], summary: ReplaySummary): string {
  return table(
    [
      'policy',
      'cost',
      'vs none',
      'per 100 turns',
      '+15 % turns',
      'hits',
      'facts kept',
      'critical',
      're-reads',
      '× optimum',
      '… at the median',
    ],
    rows.map((row) => [
      row.policy,
      money(row.usd),
      comparedWithNone(row, summary.pooled),
      money(row.usdPer100),
      money(row.usdIfLonger),
      percent(row.hitRatio),
      factsText(row),
      row.facts.critical.kept === null ? '?' : `${row.facts.critical.kept} of ${row.facts.critical.all}`,
      `${row.rereads.count} (${money(row.rereads.usd)})`,
      toOptimumText(summary, row),
      toOptimumText(summary, row, 'median'),
    ]),
  );
}

function sevenMetrics(rows: readonly ReplayMetrics[]): string {
  return table(
    [
      'policy',
      '1 events/100 (per user turn)',
      '2 turns between: median (mean, min)',
      '3 calls (per session, cost)',
      '4 freed per event (first → last cycle)',
      '5 tokens: uncached / write / read / output',
      '6 first change: index min / median, S, W′',
      '7 prune : summary (dropped, rejected)',
    ],
    rows.map((row) => [
      row.policy,
      `${row.eventsPer100.toFixed(2)} (${row.eventsPerUserTurn?.toFixed(2) ?? '–'})`,
      row.gaps === null
        ? between(row)
        : `${row.gaps.median?.toFixed(0) ?? 'not reached'} (${row.gaps.mean.toFixed(0)}, ${row.gaps.min})`,
      `${row.auxiliary.calls} (${row.auxiliary.perSession.toFixed(2)}, ${money(row.auxiliary.bill.usd)})`,
      row.reclaimed === null
        ? '–'
        : `${thousands(row.reclaimed.mean)}, ${percent(row.reclaimed.share, 0)} (${percent(row.reclaimed.byCycle[0] ?? 0, 0)} → ${percent(row.reclaimed.byCycle.at(-1) ?? 0, 0)})${row.stuck > 0 ? `, STUCK ${row.stuck}` : ''}`,
      [row.tokens.uncached, row.tokens.write, row.tokens.read, row.tokens.output].map(thousands).join(' / '),
      row.earliest === null
        ? '–'
        : `${row.earliest.minIndex} / ${whole(row.earliest.medianIndex)}, ${thousands(row.earliest.medianStableTokens)}, ${thousands(row.earliest.medianRewrittenTokens)}`,
      `${row.kinds.prune} : ${row.kinds.summary} (${row.kinds.truncate}, ${row.rejected.reduce((sum, { count }) => sum + count, 0)})`,
    ]),
  );
}

function moneySplit(rows: readonly ReplayMetrics[]): string {
  return table(
    ['policy', 'read from cache', 'written', 'uncached', 'output', 'auxiliary', 'written per read'],
    rows.map(({ policy, split, usd, writeAmplification }) => [
      policy,
      ...[split.read, split.write, split.uncached, split.output, split.auxiliary].map(
        (part) => `${money(part)} (${percent(usd === 0 ? 0 : part / usd, 0)})`,
      ),
      writeAmplification === null ? '–' : writeAmplification.toFixed(3),
    ]),
  );
}

function contextTable(rows: readonly ReplayMetrics[]): string {
  return table(
    ['policy', 'peak', 'mean', 'above 50 %', 'above 80 %', 'forced', 'paid back: yes / no / never', 'failed'],
    rows.map((row) => [
      row.policy,
      thousands(row.peakTokens),
      thousands(row.meanTokens),
      percent(row.above50),
      percent(row.above80),
      whole(row.forced),
      `${row.paidBack.yes} / ${row.paidBack.no} / ${row.paidBack.never}`,
      whole(row.failed),
    ]),
  );
}

function fittingTable(rows: readonly ReplayMetrics[], { dearer }: ReplaySummary): string {
  return table(
    ['policy', 'cost', 'vs none', 'sessions dearer', 'events/100', 'facts kept'],
    rows.map((row) => [
      row.policy,
      money(row.usd),
      comparedWithNone(row, rows),
      whole(dearer.find(({ policy, rules }) => policy === row.policy && rules === row.rules)?.sessions ?? 0),
      row.eventsPer100.toFixed(2),
      factsText(row),
    ]),
  );
}

function sessionTable({ sessions }: ReplaySummary): string {
  return table(
    ['session', 'requests', 'tokens', 'beside messages', 'factor', 'times', 'fits', 'read off by', 'cost off by'],
    sessions.map((session) => [
      cell(session.name),
      whole(session.requests),
      thousands(session.tokens),
      thousands(session.fixedTokens),
      session.factor.toFixed(2),
      session.hasTimes ? 'recorded' : 'assumed',
      session.fits ? 'yes' : 'no',
      ...[session.calibration?.read, session.calibration?.cost].map((error) => (error == null ? '–' : percent(error))),
    ]),
  );
}

function cell(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').replaceAll('|', '\\|');
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(headings, rows).join('\n');
}
