import type { Learned, Tree } from '../../src/core/worth/score.ts';
import type { LearnedWorth } from '../../src/core/worth/weigh.ts';
import { type BoostOptions, boost, type Rows, seeded } from './boost.ts';
import type { SessionTables, Table } from './table.ts';

/** Nearly all passages and terms hold no fact: this share of those is seen, and counts as all. */
const SEEN_SHARE = 0.08;

export interface TrainOptions {
  readonly passages: BoostOptions;
  readonly terms: BoostOptions;
  /** Names of features to leave out, to learn what they are worth. */
  readonly without: ReadonlySet<string>;
}

export const TRAIN: TrainOptions = {
  passages: { trees: 120, depth: 6, rate: 0.06, calm: 20, least: 3, columns: 0.4 },
  terms: { trees: 120, depth: 4, rate: 0.1, calm: 5, least: 2, columns: 0.5 },
  without: new Set(),
};

/** Learns the worth of passages and terms from sessions. */
export function train(sessions: readonly SessionTables[], options: TrainOptions = TRAIN): LearnedWorth {
  return {
    passages: learn(
      sessions.map(({ passages }) => passages),
      options.passages,
      options.without,
    ),
    terms: learn(
      sessions.map(({ terms }) => terms),
      options.terms,
      options.without,
    ),
  };
}

export function learn(tables: readonly Table[], options: BoostOptions, without: ReadonlySet<string>): Learned {
  const names = tables[0]?.names ?? [];
  const columns = names.flatMap((name, at) => (without.has(name) ? [] : [at]));
  const trees = boost(rowsOf(tables, columns), options);
  return compactFeatures(
    columns.map((at) => names[at] ?? ''),
    trees,
  );
}

/** Features that no tree asks for are left out. */
function compactFeatures(names: readonly string[], trees: readonly Tree[]): Learned {
  const used = new Set<number>();
  const note = (tree: Tree): void => {
    if (typeof tree === 'number') return;
    used.add(tree[0]);
    note(tree[2]);
    note(tree[3]);
  };
  for (const tree of trees) note(tree);
  const order = [...used].sort((one, other) => one - other);
  const place = new Map(order.map((column, at) => [column, at]));
  const renumber = (tree: Tree): Tree =>
    typeof tree === 'number' ? tree : [place.get(tree[0]) ?? 0, tree[1], renumber(tree[2]), renumber(tree[3])];
  return { features: order.map((column) => names[column] ?? ''), trees: trees.map(renumber) };
}

function rowsOf(tables: readonly Table[], columns: readonly number[]): Rows {
  const random = seeded(7);
  const taken = tables.map(({ credits }) => {
    const at: number[] = [];
    for (const [row, credit] of credits.entries()) if (random() < SEEN_SHARE || credit > 0) at.push(row);
    return at;
  });
  const size = taken.reduce((sum, rows) => sum + rows.length, 0);
  const gather = (value: (table: Table, row: number) => number): Float64Array => {
    const all = new Float64Array(size);
    let next = 0;
    for (const [at, table] of tables.entries()) for (const row of taken[at] ?? []) all[next++] = value(table, row);
    return all;
  };
  const mean = new Map(
    tables.map((table) => [table, table.credits.reduce((sum, credit) => sum + credit, 0) / table.credits.length]),
  );
  return {
    columns: columns.map((column) => gather((table, row) => table.columns[column]?.[row] ?? 0)),
    counted: gather(({ credits }, row) => credits[row] ?? 0),
    expected: gather((table) => mean.get(table) ?? 0),
    weights: gather(({ credits }, row) => ((credits[row] ?? 0) > 0 ? 1 : 1 / SEEN_SHARE)),
  };
}
