import { lineChart } from '../chart.ts';
import type { SpeedResults } from './types.ts';

/** Time by size of the history, a line for each workload. */
export function speedChart({ rows }: Pick<SpeedResults, 'rows'>): string {
  const names = [...new Set(rows.map(({ workload }) => workload))];
  return lineChart({
    title: 'Time per operation by size of the history',
    xLabel: 'tokens in the history',
    yLabel: 'processor time (both axes logarithmic)',
    lines: names.map((name) => ({
      name,
      points: rows.filter(({ workload }) => workload === name).map(({ tokens, ms }) => [tokens, ms]),
    })),
    formatX: tokensOf,
    formatY: timeOf,
  });
}

function tokensOf(tokens: number): string {
  return tokens >= 1e6 ? `${tokens / 1e6}M` : `${tokens / 1e3}K`;
}

function timeOf(ms: number): string {
  if (ms < 0.9) return `${Number((ms * 1_000).toPrecision(3))} µs`;
  return ms < 900 ? `${Number(ms.toPrecision(3))} ms` : `${Number((ms / 1_000).toPrecision(3))} s`;
}
