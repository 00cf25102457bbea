import { isGood, type LoopResult } from './loop-result.ts';
import type { LoopSpec } from './loop-spec.ts';

export interface Played {
  readonly spec: LoopSpec;
  readonly result: LoopResult;
}

/** Figures of several loops. */
export interface Row {
  readonly filler: string;
  readonly format: string;
  /** Size of the window; empty for all. */
  readonly window: string;
  readonly loops: number;
  readonly good: number;
  readonly turns: number;
  readonly compactions: number;
  readonly trueGiveUps: number;
  readonly falseGiveUps: number;
  readonly above: number;
  readonly unsound: number;
  readonly missing: number;
  readonly everyTurn: number;
  readonly overBound: number;
}

/** One row for each key, in the order of the loops. */
export function rowsBy(
  played: readonly Played[],
  keyOf: (spec: LoopSpec) => readonly [string, string, string],
): readonly Row[] {
  const groups = Map.groupBy(played, ({ spec }) => keyOf(spec).join('/'));
  return [...groups.values()].map((group) => {
    const [filler, format, window] = keyOf((group[0] as Played).spec);
    return { filler, format, window, ...figuresOf(group.map(({ result }) => result)) };
  });
}

export function figuresOf(results: readonly LoopResult[]): Omit<Row, 'filler' | 'format' | 'window'> {
  const sum = (of: (result: LoopResult) => number): number => results.reduce((total, result) => total + of(result), 0);
  return {
    loops: results.length,
    good: sum((result) => (isGood(result) ? 1 : 0)),
    turns: sum(({ turnsDone }) => turnsDone),
    compactions: sum(({ compactions }) => compactions),
    trueGiveUps: sum(({ giveUp }) => (giveUp?.isTrue === true ? 1 : 0)),
    falseGiveUps: sum(({ giveUp }) => (giveUp?.isTrue === false ? 1 : 0)),
    above: sum(({ above }) => above),
    unsound: sum(({ unsound }) => unsound),
    missing: sum(({ missing }) => missing.task + missing.newest),
    everyTurn: sum(({ everyTurn }) => (everyTurn > 0 ? 1 : 0)),
    overBound: sum(({ compactions, bound }) => (compactions > bound ? 1 : 0)),
  };
}

export const HEADINGS: readonly string[] = [
  'loops',
  'good',
  'c/100',
  'give-ups',
  'above',
  'unsound',
  'missing',
  'every',
  'bound',
];

/** The cells below the headings. */
export function cellsOf(row: Omit<Row, 'filler' | 'format' | 'window'>): readonly string[] {
  return [
    String(row.loops),
    String(row.good),
    ((100 * row.compactions) / Math.max(1, row.turns)).toFixed(0),
    `${row.trueGiveUps}/${row.falseGiveUps}`,
    ...[row.above, row.unsound, row.missing, row.everyTurn, row.overBound].map((value) =>
      value === 0 ? '·' : String(value),
    ),
  ];
}

const WIDTHS: readonly number[] = [5, 4, 5, 8, 5, 7, 7, 5, 5];

/** The table for a terminal of 80 columns: a row for each filler and format. */
export function terminalTable(played: readonly Played[]): readonly string[] {
  const line = (name: string, cells: readonly string[]): string =>
    `${name.slice(0, 20).padEnd(20)}${cells.map((cell, index) => ` ${cell.padStart(WIDTHS[index] ?? 0)}`).join('')}`;
  const rows = rowsBy(played, ({ filler, format }) => [filler, format, '']);
  const lines = rows.flatMap((row, index) => [
    ...(rows[index - 1]?.filler === row.filler ? [] : [row.filler]),
    line(`  ${row.format}`, cellsOf(row)),
  ]);
  const total = figuresOf(played.map(({ result }) => result));
  return [line('', HEADINGS), ...lines, '', line('all', cellsOf(total))];
}
