import type { FilesRow, PeersResults, Teller } from '../../peers/results.ts';
import { NONE, percent, plural } from '../figures.ts';
import { blocks, left, right, table } from '../markdown.ts';
import { inOrder, isOurs, named, TELLER_NAMES, TELLERS, titleOf } from '../rows.ts';

export function files(results: PeersResults): string {
  const rows = ordered(results);
  const [first] = rows;
  if (first === undefined) return '';
  return blocks(
    '## What the views say about files',
    `Each arm compacts one session in which the final state of every file is known. The session has ${plural(first.files, 'file')}. Shell commands changed ${first.shellFiles} of them, unseen by any file tool. *named*: the view contains the path. *told*: the view also says what happened to the file.`,
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

/** The summariser within a sentence. */
const WITH: Readonly<Record<Teller, string>> = {
  none: 'without a model',
  silent: 'with the silent summariser',
  forgetful: 'with the forgetful summariser',
  rewording: 'with the rewording summariser',
  perfect: 'with the perfect summariser',
};

export function filesSentence(results: PeersResults): string {
  const rows = ordered(results);
  const said = TELLERS.flatMap((teller) => {
    const same = rows.filter((row) => row.teller === teller && row.files > 0);
    const own = same.find(({ arm }) => isOurs(arm));
    const [best] = same.filter(({ arm }) => !isOurs(arm)).toSorted((one, other) => other.told - one.told);
    if (own === undefined) return [];
    const other = best === undefined ? '' : `, the best other arm (${named(results, best.arm)}) of ${best.told}`;
    return [
      `${WITH[teller]}, ${named(results, own.arm)} reports the outcome of ${own.told} of ${plural(own.files, 'file')}${other}`,
    ];
  });
  if (said.length === 0) return '';
  return `In a session made for this test: ${said.join('; ')}.`;
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
