/** The README figures: few, and all of them are also on the page. */
import type { PeersResults } from '../peers/results.ts';
import type { SpeedResults } from '../speed/types.ts';
import { milliseconds, percent, plural, shortTokens } from './figures.ts';
import { list } from './markdown.ts';
import { ResultFileError } from './result-file.ts';
import { lastRows } from './rows.ts';
import { bestWith } from './sections/best.ts';
import { misbehaviourSentence } from './sections/misbehaviour.ts';
import { sameSizeSentence } from './sections/same-size.ts';
import { soundnessSentence } from './sections/soundness.ts';

export const BEGIN = '<!-- figures:begin -->';
export const END = '<!-- figures:end -->';

export function readmeFigures(peers: PeersResults, speed: SpeedResults): string {
  const [own] = lastRows(peers, 'none');
  const others = new Set(peers.survival.filter(({ ours }) => ours !== null).map(({ arm }) => arm)).size;
  const size = own === undefined ? '' : `, with views of ${percent(own.retained)} of the session size`;
  const sentences = [
    ...bestWith(peers, 'none'),
    ...bestWith(peers, 'forgetful'),
    ...bestWith(peers, 'rewording'),
    sameSizeSentence(peers).replace(/ See \[.*$/, ''),
    misbehaviourSentence(peers),
    soundnessSentence(peers),
    speedSentence(speed),
  ].filter((sentence) => sentence !== '');
  return `Compared with ${plural(others, 'other compactor')} on ${plural(peers.sessions.length, 'session')}${size}:\n\n${list(sentences)}\n\nThe [benchmarks](docs/benchmarks.md) page explains the method, shows where others are ahead, and names the limits of these figures.`;
}

/** The most expensive operation, at a million tokens or the largest size. */
function speedSentence({ rows }: SpeedResults): string {
  const folds = rows.filter(({ workload }) => workload === 'fold');
  const row = folds.find(({ size }) => size === 1_000_000) ?? folds.at(-1);
  if (row === undefined) return '';
  return `Without a model, compacting ${shortTokens(row.size)} tokens takes ${milliseconds(row.ms)} of processor time.`;
}

/** The page with the text between the marks replaced. */
export function withFigures(page: string, figures: string, file: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin)
    throw new ResultFileError(
      `${file}: expected the marks \`${BEGIN}\` and, after it, \`${END}\`, found ${found(begin, end)}`,
    );
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${page.slice(end)}`;
}

function found(begin: number, end: number): string {
  if (begin < 0) return end < 0 ? 'neither' : 'the second alone';
  return end < 0 ? 'the first alone' : 'them the other way round';
}
