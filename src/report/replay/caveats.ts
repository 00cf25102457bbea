import type { ReplaySummary } from '../../replay/metrics/summary.ts';
import { percent } from '../figures.ts';

/** With a larger error, a report calls money an estimate. */
const MOST_ERROR = 0.1;

/** Lists the limits of the method and of this replay. Every report has them, because its figures would otherwise claim more than was measured. */
export function caveats(summary: ReplaySummary): readonly string[] {
  const assumed = summary.sessions.filter(({ hasTimes }) => !hasTimes).length;
  const uncalibrated = summary.sessions.filter(({ factor }) => factor === 1).length;
  return [
    'The messages are those that were recorded. What the agent would have done otherwise after a compaction (more turns, other actions) is not modelled.',
    'A summary is a size here (4,000 tokens): its words are not known, so facts kept are marked `?`.',
    calibrationText(summary),
    ...(assumed === 0
      ? []
      : [
          `${assumed} of ${summary.sessions.length} sessions have no times; one request every ${summary.paceMs / 1000} seconds is assumed for them.`,
        ]),
    ...(uncalibrated === 0
      ? []
      : [
          `${uncalibrated} of ${summary.sessions.length} sessions have too little recorded usage to correct token counts by.`,
        ]),
    ...summary.prices.map(({ id, title, asOf, mark }) => `Prices ${id}: ${title}, as of ${asOf} (${mark}).`),
  ];
}

function calibrationText({ calibration }: ReplaySummary): string {
  if (calibration === null)
    return 'No session has recorded cache usage to compare with: money is an estimate by the rules alone.';
  const { sessions, read, cost } = calibration;
  const found = `Against the recorded usage of ${sessions} sessions, at the prices of their own models, tokens read are off by ${percent(read)} and the price of a session by ${percent(cost)} at the median`;
  return Math.max(read, cost) > MOST_ERROR ? `${found}: more than 10 %, so take money as an estimate.` : `${found}.`;
}
