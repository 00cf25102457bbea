import type { FilesRow, PeersResults } from '../../peers/results.ts';
import { NONE, percent, plural } from '../figures.ts';
import { blocks, left, right, table } from '../markdown.ts';
import { inOrder, isOurs, TELLER_NAMES, TELLERS, titleOf } from '../rows.ts';

export function files(results: PeersResults): string {
  const rows = ordered(results);
  const [first] = rows;
  if (first === undefined) return '';
  return blocks(
    '## What became of files',
    `Files that were written, changed, moved or deleted in a session: ${first.files}, of them ${first.shellFiles} by a command of the shell, which no tool for files has seen. *named*: the view names the path. *told*: the view also says what became of the file.`,
    table(
      [
        left('arm'),
        left('summariser'),
        right('named'),
        right('told'),
        right('shell, named'),
        right('shell, told'),
        right('size'),
      ],
      rows.map((row) => [
        isOurs(row.arm) ? `**${titleOf(results, row.arm)}**` : titleOf(results, row.arm),
        TELLER_NAMES[row.teller],
        of(row.named, row.files),
        of(row.told, row.files),
        of(row.shellNamed, row.shellFiles),
        of(row.shellTold, row.shellFiles),
        percent(row.retained),
      ]),
    ),
  );
}

export function filesSentence(results: PeersResults): string {
  const rows = ordered(results);
  const own = rows.find(({ arm }) => isOurs(arm));
  const [best] = rows.filter(({ arm }) => !isOurs(arm)).toSorted((one, other) => other.told - one.told);
  if (own === undefined || own.files === 0) return '';
  const beside =
    best === undefined
      ? ''
      : `; the best other, ${titleOf(results, best.arm)} (${TELLER_NAMES[best.teller]}), of ${best.told}`;
  return `Of ${plural(own.files, 'file')} that were changed, precis without a model says of ${own.told} what became of them${beside}.`;
}

function of(part: number, all: number): string {
  return all === 0 ? NONE : `${part} of ${all}`;
}

function ordered(results: PeersResults): readonly FilesRow[] {
  return TELLERS.flatMap((teller) =>
    inOrder(
      results,
      results.files.filter((row) => row.teller === teller),
    ),
  );
}
