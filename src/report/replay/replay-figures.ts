/** Figures of a replay as text, the same in every report. */
import type { ReplayMetrics } from '../../replay/metrics/metrics.ts';
import type { ReplaySummary } from '../../replay/metrics/summary.ts';
import { percent, whole } from '../figures.ts';

export function money(usd: number): string {
  return usd >= 100 ? `$${usd.toFixed(0)}` : `$${usd.toFixed(2)}`;
}

/** Formats a difference as a share of the whole, with its sign. */
export function changeText(share: number): string {
  const rounded = Math.round(share * 1000) / 10;
  return rounded === 0 ? '0.0 %' : `${rounded > 0 ? '+' : '−'}${Math.abs(rounded).toFixed(1)} %`;
}

/** Formats tokens in thousands, as people name context sizes. */
export function thousands(tokens: number): string {
  return tokens < 10_000 ? whole(tokens) : `${whole(tokens / 1000)}K`;
}

/** Formats the turns between events: the median stretch, or that no event happened. */
export function between({ gaps, requests }: ReplayMetrics): string {
  if (gaps === null) return `none in ${whole(requests)}`;
  return gaps.median === null ? `mean ${gaps.mean.toFixed(0)}` : gaps.median.toFixed(0);
}

export function factsText({ facts }: ReplayMetrics): string {
  if (facts.all === 0) return '–';
  return facts.kept === null ? '?' : percent(facts.kept / facts.all);
}

/** Formats the cost compared with no compaction; a dash when that was not replayed. */
export function comparedWithNone(metrics: ReplayMetrics, all: readonly ReplayMetrics[]): string {
  const none = all.find(({ policy, rules }) => policy === 'none' && rules === metrics.rules);
  return none === undefined || none.usd === 0 ? '–' : changeText(metrics.usd / none.usd - 1);
}

/** Formats the cost as a multiple of the optimum: of all sessions together, or of the median session. */
export function toOptimumText(
  { toOptimum }: ReplaySummary,
  { policy, rules }: ReplayMetrics,
  over: 'pooled' | 'median' = 'pooled',
): string {
  const ratio = toOptimum.find((row) => row.policy === policy && row.rules === rules)?.[over] ?? null;
  return ratio === null ? '–' : ratio.toFixed(2);
}
