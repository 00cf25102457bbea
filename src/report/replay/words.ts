/** How figures of a replay are written, the same in every report. */
import type { ReplayMetrics } from '../../replay/metrics/metrics.ts';
import type { ReplayReport } from '../../replay/metrics/report.ts';

export function money(usd: number): string {
  return usd >= 100 ? `$${usd.toFixed(0)}` : `$${usd.toFixed(2)}`;
}

export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

export function signed(share: number): string {
  const rounded = Math.round(share * 1000) / 10;
  return rounded === 0 ? '0.0 %' : `${rounded > 0 ? '+' : '−'}${Math.abs(rounded).toFixed(1)} %`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `1 session`, `2 sessions`. */
export function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Thousands, as people say sizes of contexts. */
export function thousands(tokens: number): string {
  return tokens < 10_000 ? whole(tokens) : `${whole(tokens / 1000)}K`;
}

/** Turns between events: the median of all stretches, or that there was none. */
export function between({ gaps, requests }: ReplayMetrics): string {
  if (gaps === null) return `none in ${whole(requests)}`;
  return gaps.median === null ? `mean ${gaps.mean.toFixed(0)}` : gaps.median.toFixed(0);
}

export function factsText({ facts }: ReplayMetrics): string {
  if (facts.all === 0) return '–';
  return facts.kept === null ? '?' : percent(facts.kept / facts.all, 1);
}

/** Cost beside no compaction at all; a dash where that was not replayed. */
export function besideNone(metrics: ReplayMetrics, all: readonly ReplayMetrics[]): string {
  const none = all.find(({ policy, rules }) => policy === 'none' && rules === metrics.rules);
  return none === undefined || none.usd === 0 ? '–' : signed(metrics.usd / none.usd - 1);
}

/** All sessions together as a multiple of the optimum. */
export function toOptimumText({ toOptimum }: ReplayReport, { policy, rules }: ReplayMetrics): string {
  const ratio = toOptimum.find((row) => row.policy === policy && row.rules === rules)?.pooled ?? null;
  return ratio === null ? '–' : ratio.toFixed(2);
}

/** The same of the median session. */
export function medianToOptimumText({ toOptimum }: ReplayReport, { policy, rules }: ReplayMetrics): string {
  const ratio = toOptimum.find((row) => row.policy === policy && row.rules === rules)?.median ?? null;
  return ratio === null ? '–' : ratio.toFixed(2);
}

/** What stands in every report, since figures without it would say more than was measured. */
const MOST_ERROR = 0.1;

function calibrationText({ calibration }: ReplayReport): string {
  if (calibration === null)
    return 'No session has recorded cache usage to compare with: money is an estimate by the rules alone.';
  const { sessions, read, cost } = calibration;
  const found = `Against the recorded usage of ${sessions} sessions, at the prices of their own models, tokens read are off by ${percent(read, 1)} and the price of a session by ${percent(cost, 1)} at the median`;
  return Math.max(read, cost) > MOST_ERROR ? `${found}: more than 10 %, so take money as an estimate.` : `${found}.`;
}

export function caveats(report: ReplayReport): readonly string[] {
  const assumed = report.sessions.filter(({ hasTimes }) => !hasTimes).length;
  const uncalibrated = report.sessions.filter(({ factor }) => factor === 1).length;
  return [
    'The messages are those that were recorded. What the agent would have done otherwise after a compaction (more turns, other actions) is not modelled.',
    'A summary is a size here (4,000 tokens): its words are not known, so facts kept are marked `?`.',
    calibrationText(report),
    ...(assumed === 0
      ? []
      : [
          `${assumed} of ${report.sessions.length} sessions have no times; one request every ${report.paceMs / 1000} seconds is assumed for them.`,
        ]),
    ...(uncalibrated === 0
      ? []
      : [
          `${uncalibrated} of ${report.sessions.length} sessions have too little recorded usage to correct token counts by.`,
        ]),
    ...report.prices.map(({ id, title, asOf, mark }) => `Prices ${id}: ${title}, as of ${asOf} (${mark}).`),
  ];
}
