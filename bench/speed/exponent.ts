import type { Exponent, SpeedRow } from './types.ts';

/** Less than this is the grain of the operating system and of the collector, not of the work. */
const LEAST_MEGABYTES = 2;
/** Two points always lie on a line. */
const LEAST_POINTS = 3;

/** Slope of log(y) over log(x) by least squares, over the points that have a logarithm; null when they are too few or all at one x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number | null {
  const logs = points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  if (logs.length < LEAST_POINTS) return null;
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const spread = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (spread < 1e-9) return null;
  return logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

/** An exponent in a plain sentence, such as `1.02: linear`. */
export function wordsFor(slope: number | null): string {
  if (slope === null) return 'too few sizes to say';
  const rounded = slope.toFixed(2);
  if (slope < -0.15) return `${rounded}: less for a longer history, so fixed costs weigh more than the work`;
  if (slope < 0.15) return `${rounded.replace('-0.00', '0.00')}: flat, does not depend on the history`;
  if (slope < 0.85) return `${rounded}: grows more slowly than the history`;
  if (slope <= 1.15) return `${rounded}: linear`;
  if (slope <= 1.4) return `${rounded}: a little more than linear`;
  return `${rounded}: grows faster than the history`;
}

/** Time by yardsticks, so that a machine that slows down in the middle of a run does not bend the line. */
export function exponentsOf(rows: readonly SpeedRow[]): readonly Exponent[] {
  return [...new Set(rows.map(({ workload }) => workload))].flatMap((workload) => {
    const own = rows.filter((row) => row.workload === workload);
    const time = slopeOf(own.map(({ tokens, yardsticks }) => [tokens, yardsticks]));
    const held = own.filter(({ peakMb }) => peakMb >= LEAST_MEGABYTES);
    const memory = slopeOf(held.map(({ tokens, peakMb }) => [tokens, peakMb]));
    const little = held.length === 0 && own.length > 0;
    return [
      { workload, of: 'time', slope: time, words: wordsFor(time) },
      {
        workload,
        of: 'memory',
        slope: memory,
        words: little ? `less than ${LEAST_MEGABYTES} MB at every size` : wordsFor(memory),
      },
    ] satisfies readonly Exponent[];
  });
}
