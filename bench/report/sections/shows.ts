/** The findings in computed sentences: which arm is best, and where precis is behind. */
import type { PeersResults } from '../../peers/results.ts';
import { listed, partOf, plural, points } from '../figures.ts';
import { blocks, list } from '../markdown.ts';
import { isOurs, lastRows, mostPasses, rowAfter, TELLERS } from '../rows.ts';
import { nameOfRow } from '../sentences.ts';
import { bestWith } from './best.ts';
import { costSentences } from './cost-sentences.ts';
import { filesSentence } from './files.ts';
import { misbehaviourSentence } from './misbehaviour.ts';
import { sameSizeSentence } from './same-size.ts';
import { soundnessSentence } from './soundness.ts';

export function shows(results: PeersResults): string {
  return blocks('## Findings', list(findings(results)));
}

function findings(results: PeersResults): readonly string[] {
  return [
    ...TELLERS.flatMap((teller) => bestWith(results, teller)),
    sameSizeSentence(results),
    repeatSentence(results),
    misbehaviourSentence(results),
    filesSentence(results),
    ...costSentences(results),
    soundnessSentence(results),
  ].filter((sentence) => sentence !== '');
}

function repeatSentence(results: PeersResults): string {
  const fewest = Math.min(...results.passes);
  const most = mostPasses(results);
  if (fewest === most) return '';
  const losses = TELLERS.flatMap((teller) => lastRows(results, teller)).flatMap((row) => {
    const first = rowAfter(results, row, fewest);
    const before = first === null ? null : partOf(first);
    const after = partOf(row);
    return before === null || after === null ? [] : [{ row, loss: before - after }];
  });
  const own = losses
    .filter(({ row }) => isOurs(row.arm))
    .map(({ row, loss }) => `${nameOfRow(results, row)} ${change(loss)}`);
  const worst = losses.filter(({ row }) => !isOurs(row.arm)).toSorted((one, other) => other.loss - one.loss)[0];
  if (own.length === 0) return '';
  const other =
    worst === undefined || worst.loss <= 0
      ? ''
      : ` Of the other arms, ${nameOfRow(results, worst.row)} loses the most: ${points(worst.loss)}.`;
  return `From ${plural(fewest, 'compaction')} to ${most} in a row, ${listed(own)}.${other}`;
}

function change(loss: number): string {
  if (loss === 0) return 'loses nothing';
  return loss > 0 ? `loses ${points(loss)}` : `gains ${points(loss)}`;
}
