import type { NoiseReport } from '../../eval/compare/noise.ts';
import { plain } from '../escape.ts';
import { counted, score, signed } from '../figures.ts';
import { textTable, wrapped } from '../text-table.ts';

const COLUMNS = 80;

/** Writes the noise of a candidate for people, in at most 80 columns. */
export function noiseText({ label, arm, runs, fixtures, rows, advice, caps }: NoiseReport): string {
  const size = (value: number, scale: 1 | 5): string => signed(value, scale).slice(1);
  return [
    ...wrapped(`${plain(label)}, ${plain(arm)}: ${counted(runs, 'run')} of ${counted(fixtures, 'fixture')}.`, COLUMNS),
    '',
    ...textTable(
      ['metric', 'mean', 'SD', 'floor', `of ${runs}`, 'detectable', 'mostly'],
      rows.map(({ title, mean, deviation, floor, floorOfMeans, detectable, dominant, scale }) => [
        title,
        score(mean, scale),
        size(deviation, scale),
        size(floor, scale),
        size(floorOfMeans, scale),
        size(detectable, scale),
        dominant,
      ]),
      COLUMNS,
    ),
    '',
    ...wrapped(
      `Two runs of the same candidate differ by less than the floor in 95 of 100 cases; means of ${runs} runs by less than the next column. Shares are in points.`,
      COLUMNS,
    ),
    ...wrapped(advice, COLUMNS),
    ...caps.flatMap((cap) => wrapped(`Careful: ${cap}.`, COLUMNS)),
    '',
  ].join('\n');
}
