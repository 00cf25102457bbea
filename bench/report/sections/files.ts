import type { FilesRow, PeersResults } from '../../peers/results.ts';
import { NONE, percent, plural } from '../figures.ts';
import { blocks, left, right, table } from '../markdown.ts';
import { inOrder, isOurs, named, TELLER_NAMES, TELLERS, titleOf } from '../rows.ts';

export function files(results: PeersResults): string {
  const rows = ordered(results);
  const [first] = rows;
  if (first === undefined) return '';
  return blocks(
    '## What became of files',
    `One session made for this, of which the end of every file is known, compacted once. Its files: ${first.files}, of them ${first.shellFiles} changed by commands of the shell, which no tool for files has seen. *named*: the view names the path. *told*: the view also says what became of the file.`,
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
  const said = TELLERS.flatMap((teller) => {
    const same = rows.filter((row) => row.teller === teller && row.files > 0);
    const own = same.find(({ arm }) => isOurs(arm));
    const [best] = same.filter(({ arm }) => !isOurs(arm)).toSorted((one, other) => other.told - one.told);
    if (own === undefined) return [];
    const beside = best === undefined ? '' : `, the best other, ${named(results, best.arm)}, of ${best.told}`;
    return [`${named(results, own.arm)} (${TELLER_NAMES[teller]}) of ${own.told}${beside}`];
  });
  const [first] = rows;
  if (first === undefined || said.length === 0) return '';
  return `What became of ${plural(first.files, 'file')} of a session made for this is told by ${said.join('; by ')}.`;
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
