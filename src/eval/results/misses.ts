import { meanOrNull } from '../statistics/interval.ts';
import { isKeptFact } from '../survival/survival.ts';
import type { Cell, RunResult } from '../types.ts';
import { gradeOf } from './metrics.ts';
import { chooseArm, scoredCells } from './scored-cells.ts';

/** A probe that the candidate answered badly, or whose facts are gone. */
export interface Miss {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Name of the arm. */
  readonly arm: string;
  /** Compactions so far. */
  readonly pass: number;
  /** Id of the probe. */
  readonly probe: string;
  /** Type of the probe. */
  readonly type: string;
  /** Mean grade over the runs, from 0 to 5; null without a judge. */
  readonly grade: number | null;
  /** Mean visible survival over the runs; null without expected facts. */
  readonly visible: number | null;
  /** Facts that are gone in some run, with their outcome. */
  readonly facts: readonly { readonly value: string; readonly outcome: string; readonly note: string }[];
  /** The judge's note on the worst answer; empty without a judge. */
  readonly note: string;
  /** True when the state or an answer is wrong without any sign of it. */
  readonly isSilent: boolean;
}

/** A lower grade is a miss. */
const MISS = 3;

/** Lists the candidate's misses. With a judge, these are probes graded below 3; without one, probes with a fact that no search finds either. */
export function missesOf(runs: readonly RunResult[]): readonly Miss[] {
  const arms = runs.flatMap(({ states }) => states.filter(({ role }) => role === 'candidate').map(({ arm }) => arm));
  if (arms.length === 0) return [];
  const arm = new Set(arms).size === 1 || arms.includes('candidate') ? chooseArm(runs, undefined) : (arms[0] ?? '');
  const groups = new Map<string, Cell[]>();
  for (const { cell } of scoredCells(runs, arm)) {
    const key = `${cell.fixture}\0${cell.pass}\0${cell.probe}`;
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups.values()].flatMap((cells) => missOf(cells) ?? []).sort(byPlace);
}

function byPlace(x: Miss, y: Miss): number {
  return (
    x.fixture.localeCompare(y.fixture, 'en', { numeric: true }) ||
    x.pass - y.pass ||
    x.probe.localeCompare(y.probe, 'en', { numeric: true })
  );
}

function missOf(cells: readonly Cell[]): Miss | null {
  const [first] = cells;
  if (first === undefined) return null;
  const { fixture, arm, pass, probe, type } = first;
  const grade = meanOrNull(cells.map(gradeOf).filter((each) => each !== null));
  const gone = cells.flatMap(({ facts }) => facts.filter((fact) => !isKeptFact(fact)));
  if (grade === null ? gone.length === 0 : grade >= MISS) return null;
  const facts = gone.filter(({ value }, place) => gone.findIndex((other) => other.value === value) === place);
  const worst = cells.toSorted((x, y) => (gradeOf(x) ?? 5) - (gradeOf(y) ?? 5))[0];
  return {
    fixture,
    arm,
    pass,
    probe,
    type,
    grade,
    visible: meanOrNull(cells.map(({ visible }) => visible).filter((visible) => visible !== null)),
    facts: facts.map(({ value, outcome, note }) => ({ value, outcome, note })),
    note: worst?.judged?.note ?? '',
    isSilent:
      gone.some(({ outcome }) => outcome !== 'lost') ||
      cells.some(({ judged }) => judged?.outcome === 'stale' || judged?.outcome === 'confabulated'),
  };
}
