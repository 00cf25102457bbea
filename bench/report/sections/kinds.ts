import { AGES, type PeersResults, type Share, type SurvivalRow } from '../../peers/results.ts';
import { plural, shareText } from '../figures.ts';
import { blocks, left, MOST_COLUMNS, right, table } from '../markdown.ts';
import { isOurs, lastRows, mostPasses, TELLER_NAMES, TELLERS, titleOf } from '../rows.ts';

const NAMES = 2;

export function kinds(results: PeersResults): string {
  const rows = TELLERS.flatMap((teller) => lastRows(results, teller));
  if (rows.length === 0) return '';
  const found = [...new Set(rows.flatMap(({ byKind }) => Object.keys(byKind)))].sort();
  const parts = chunks(found, MOST_COLUMNS - NAMES);
  return blocks(
    '## Facts kept by kind and age',
    `After ${plural(mostPasses(results), 'compaction')}, each arm at its own view size. Brackets show the number of facts.`,
    ...parts.map((part) =>
      byColumn(
        results,
        rows,
        part.map((kind) => [kind, (row) => row.byKind[kind] ?? { kept: 0, facts: 0 }]),
      ),
    ),
    'By the third of the session in which a fact was last stated:',
    byColumn(
      results,
      rows,
      AGES.map((age) => [age, (row) => row.byAge[age]]),
    ),
  );
}

type Cell = readonly [head: string, share: (row: SurvivalRow) => Share];

function byColumn(results: PeersResults, rows: readonly SurvivalRow[], cells: readonly Cell[]): string {
  return table(
    [
      left('arm'),
      left('summariser'),
      ...cells.map(([head, share]) => right(`${head} (${Math.max(...rows.map((row) => share(row).facts))})`)),
    ],
    rows.map((row) => [
      isOurs(row.arm) ? `**${titleOf(results, row.arm)}**` : titleOf(results, row.arm),
      TELLER_NAMES[row.teller],
      ...cells.map(([, share]) => shareText(share(row))),
    ]),
  );
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
