import type { ReplaySummary } from '../../replay/metrics/summary.ts';

/** Writes a replay as JSON with one result per line, so that tools can read it and people can search it. */
export function replayJson(summary: ReplaySummary): string {
  const { results, ...rest } = summary;
  const head = JSON.stringify(rest, null, 2).replace(/\n\}$/, '');
  const lines = results.map((result) => `    ${JSON.stringify(result)}`);
  return `${head},\n  "results": [\n${lines.join(',\n')}\n  ]\n}\n`;
}
