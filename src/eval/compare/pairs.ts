import type { Metric } from '../results/metrics.ts';
import type { RunCell } from '../results/scored-cells.ts';
import { mean } from '../statistics/interval.ts';
import type { Cell, ProbeType } from '../types.ts';

/** The same probe of the same fixture after the same pass, in both results. */
export interface CellPair {
  readonly fixture: string;
  readonly pass: number;
  readonly probe: string;
  readonly type: ProbeType;
  readonly a: readonly Cell[];
  readonly b: readonly Cell[];
}

/** One such pair, scored by a metric. */
export interface Pair {
  readonly fixture: string;
  readonly pass: number;
  readonly probe: string;
  readonly type: ProbeType;
  /** Mean over the runs. */
  readonly a: number;
  readonly b: number;
  readonly runsA: readonly number[];
  readonly runsB: readonly number[];
}

export interface Pairing {
  readonly pairs: readonly CellPair[];
  /** Cells that only one result has, as `fixture/pass/probe`. They are not used. */
  readonly unpaired: readonly string[];
}

/** Pairs cells by fixture, pass and probe. */
export function pairCells(a: readonly RunCell[], b: readonly RunCell[]): Pairing {
  const left = byKey(a);
  const right = byKey(b);
  const pairs: CellPair[] = [];
  for (const key of [...left.keys()].sort()) {
    const own = left.get(key) ?? [];
    const other = right.get(key);
    const [first] = own;
    if (other === undefined || first === undefined) continue;
    const { fixture, pass, probe, type } = first;
    pairs.push({ fixture, pass, probe, type, a: own, b: other });
  }
  const unpaired = [...left.keys(), ...right.keys()].filter((key) => !(left.has(key) && right.has(key)));
  return { pairs, unpaired: unpaired.map((key) => key.replaceAll('\0', '/')).sort() };
}

function byKey(cells: readonly RunCell[]): ReadonlyMap<string, readonly Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const { cell } of cells) {
    const key = [cell.fixture, cell.pass, cell.probe].join('\0');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cell]);
    else group.push(cell);
  }
  return groups;
}

/** Scores the pairs by a metric. It leaves out pairs without a score on one side. */
export function valuesOf(pairs: readonly CellPair[], { scoreOf }: Metric): readonly Pair[] {
  return pairs.flatMap(({ fixture, pass, probe, type, a, b }) => {
    const runsA = a.map(scoreOf).filter((value) => value !== null);
    const runsB = b.map(scoreOf).filter((value) => value !== null);
    if (runsA.length === 0 || runsB.length === 0) return [];
    return [{ fixture, pass, probe, type, a: mean(runsA), b: mean(runsB), runsA, runsB }];
  });
}
