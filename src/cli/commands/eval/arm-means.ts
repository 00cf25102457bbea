import { gradesOf } from '../../../eval/results/conditions.ts';
import { meanOrNull as mean } from '../../../eval/statistics/interval.ts';
import { type Cell, DIMENSIONS, type RunResult, type StateResult } from '../../../eval/types.ts';

/** One arm over all runs. Every figure follows from the files of the runs. */
export interface ArmMeans {
  readonly arm: string;
  readonly survival: number | null;
  readonly visible: number | null;
  readonly tokens: number;
  readonly tokensOfSource: number;
  readonly cells: number;
  readonly errors: number;
  readonly retries: number;
  readonly grade: number | null;
  readonly grades: Readonly<Record<string, number | null>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly byFixture: Readonly<Record<string, number | null>>;
  readonly byType: Readonly<Record<string, number | null>>;
  readonly byPass: Readonly<Record<string, number | null>>;
  readonly invalid: readonly string[];
}

export function meansByArm(runs: readonly RunResult[]): readonly ArmMeans[] {
  const arms = [...new Set(runs.flatMap(({ states }) => states.map(({ arm }) => arm)))];
  return arms.map((arm) => meansOf(runs, arm));
}

function meansOf(runs: readonly RunResult[], arm: string): ArmMeans {
  const cells = runs.flatMap((run) => run.cells.filter((cell) => cell.arm === arm));
  const states = runs.flatMap((run) =>
    run.states.filter((state) => state.arm === arm).map((state) => ({ run, state })),
  );
  const valid = states.filter(({ state }) => state.invalid === null).map(({ state }) => state);
  const judged = cells.flatMap((cell) => cell.judged ?? []);
  const last = lastPasses(valid);
  return {
    arm,
    survival: survivalOf(cells),
    visible: mean(cells.flatMap(({ visible }) => visible ?? [])),
    tokens: Math.round(mean(last.map(({ tokens }) => tokens)) ?? 0),
    tokensOfSource: Math.round(mean(last.map(({ tokensOfSource }) => tokensOfSource)) ?? 0),
    cells: cells.length,
    errors: judged.filter(({ outcome }) => outcome === 'error').length,
    retries: judged.reduce((sum, { retries }) => sum + retries, 0),
    grade: mean(judged.flatMap(({ grades }) => mean(gradesOf(grades)) ?? [])),
    grades: Object.fromEntries(
      DIMENSIONS.map((dimension) => [dimension, mean(judged.flatMap(({ grades }) => grades?.[dimension] ?? []))]),
    ),
    outcomes: counted(judged.map(({ outcome }) => outcome)),
    byFixture: grouped(cells, ({ fixture }) => fixture),
    byType: grouped(cells, ({ type }) => type),
    byPass: grouped(cells, ({ pass }) => String(pass)),
    invalid: states.flatMap(({ run, state }) =>
      state.invalid === null ? [] : [`${run.fixture}, run ${run.run}, pass ${state.pass}: ${state.invalid}`],
    ),
  };
}

function lastPasses(states: readonly StateResult[]): readonly StateResult[] {
  const last = Math.max(...states.map(({ pass }) => pass));
  return states.filter(({ pass }) => pass === last);
}

function survivalOf(cells: readonly Cell[]): number | null {
  return mean(cells.flatMap(({ survival }) => survival ?? []));
}

function grouped(cells: readonly Cell[], by: (cell: Cell) => string): Readonly<Record<string, number | null>> {
  const groups = Map.groupBy(cells, by);
  return Object.fromEntries([...groups].map(([name, group]) => [name, survivalOf(group)]));
}

function counted(values: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
}
