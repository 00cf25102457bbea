import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { speedChart } from '../speed/chart.ts';
import { ownFile } from './own-file.ts';
import { pageOf, type Results } from './page.ts';
import { peersFile } from './peers-file.ts';
import { readmeFigures, withFigures } from './readme-block.ts';
import { ResultFileError, readResultFile } from './result-file.ts';
import type { Descriptions } from './sections/speed.ts';
import { baselineFile, speedFile } from './speed-file.ts';
import { survivalChart } from './survival-chart.ts';

export interface Output {
  /** From the root of the project. */
  readonly file: string;
  readonly text: string;
}

const README = 'README.md';

/** Everything the report writes, computed before it writes anything. */
export function outputsOf(root: string, descriptions: Descriptions): readonly Output[] {
  const results: Results = {
    peers: readResultFile(root, peersFile),
    speed: readResultFile(root, speedFile),
    baseline: readResultFile(root, baselineFile),
    own: readResultFile(root, ownFile),
    descriptions,
  };
  const readme = textOf(root, README);
  if (readme === null)
    throw new ResultFileError(`${README}: expected a page with marks for its figures, found no file`);
  return [
    { file: 'docs/benchmarks.md', text: pageOf(results) },
    { file: 'docs/charts/survival.svg', text: survivalChart(results.peers) },
    { file: 'docs/charts/speed.svg', text: speedChart(results.speed) },
    { file: README, text: withFigures(readme, readmeFigures(results.peers, results.speed), README) },
  ];
}

/** Files that do not match the results. */
export function changedIn(root: string, outputs: readonly Output[]): readonly Output[] {
  return outputs.filter(({ file, text }) => textOf(root, file) !== text);
}

function textOf(root: string, file: string): string | null {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return null;
  }
}
