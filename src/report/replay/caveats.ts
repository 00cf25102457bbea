import type { ReplaySummary } from '../../replay/metrics/summary.ts';
import { percent } from '../figures.ts';

/** With a larger error, a report calls money an estimate. */
const MOST_ERROR = 0.1;

/** Lists the limits of the method and of this replay. Every report has them, because its figures would otherwise claim more than was measured. */
export function caveats(summary: ReplaySummary): readonly string[] {
  const assumed = summary.sessions.filter(({ hasTimes }) => !hasTimes).length;
  const uncalibrated = summary.sessions.filter(({ factor }) => factor === 1).length;
  return [
    'The replay uses the recorded messages. It does not model what the agent would have done differently after a compaction.',
    'A summary counts as 4,000 tokens; its words are unknown, so the facts it keeps are marked `?`.',
    calibrationText(summary),
    ...(assumed === 0
      ? []
      : [
          `Sessions without times: ${assumed} of ${summary.sessions.length}. The replay assumes one request every ${summary.paceMs / 1000} seconds there.`,
        ]),
    ...(uncalibrated === 0
      ? []
      : [
          `Sessions with too little recorded usage to correct token counts: ${uncalibrated} of ${summary.sessions.length}.`,
        ]),
    ...summary.prices.map(({ id, title, asOf, mark }) => `Prices ${id}: ${title}, as of ${asOf} (${mark}).`),
  ];
}

function calibrationText({ calibration }: ReplaySummary): string {
  if (calibration === null) return 'No session recorded its cache usage, so money is an estimate by the rules alone.';
  const { sessions, read, cost } = calibration;
  const found = `Against the recorded usage of ${sessions} sessions, at the prices of their own models, tokens read are off by ${percent(read)} and the price of a session by ${percent(cost)} at the median`;
  return Math.max(read, cost) > MOST_ERROR ? `${found}: more than 10 %, so take money as an estimate.` : `${found}.`;
}
