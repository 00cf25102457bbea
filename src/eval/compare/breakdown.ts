import type { Metric } from '../results/metrics.ts';
import { isVisibleFact } from '../survival/survival.ts';
import type { Cell } from '../types.ts';
import { type CellPair, valuesOf } from './pairs.ts';

/** How much some of the probes contribute to a difference. */
export interface Breakdown {
  /** How the probes are split: by type of probe, kind of fact, pass or fixture. */
  readonly by: 'type' | 'kind' | 'pass' | 'fixture';
  /** The part, e.g. `recall` or `path`. */
  readonly name: string;
  /** Paired probes in it; paired facts when split by kind. */
  readonly count: number;
  /** Mean difference of this part, B − A. */
  readonly difference: number;
  /** Its share of the whole difference; null when there is none. */
  readonly share: number | null;
  /** True when it holds far more of the difference than of the probes. */
  readonly isConcentrated: boolean;
}

interface Part {
  readonly name: string;
  readonly difference: number;
}

/** A part is concentrated when it holds at least this share of the difference, … */
const LEAST_SHARE = 0.25;
/** … and that share is at least this many times its share of the probes. */
const OVER = 1.4;

/** Splits the difference of a metric by type of probe, kind of fact, pass and fixture. */
export function breakdownOf(pairs: readonly CellPair[], metric: Metric): readonly Breakdown[] {
  const values = valuesOf(pairs, metric);
  const part = (name: (pair: (typeof values)[number]) => string): readonly Part[] =>
    values.map((pair) => ({ name: name(pair), difference: pair.b - pair.a }));
  return [
    ...split(
      'type',
      part(({ type }) => type),
    ),
    ...split('kind', pairs.flatMap(factParts)),
    ...split(
      'pass',
      part(({ pass }) => String(pass)),
    ),
    ...split(
      'fixture',
      part(({ fixture }) => fixture),
    ),
  ];
}

/** Makes one part for each expected fact of a pair: how much more often it is visible in B. */
function factParts({ a, b }: CellPair): readonly Part[] {
  const [first] = a;
  return (first?.facts ?? []).flatMap(({ kind }, place) => {
    const left = seenIn(a, place);
    const right = seenIn(b, place);
    return left === null || right === null ? [] : [{ name: kind, difference: right - left }];
  });
}

function seenIn(cells: readonly Cell[], place: number): number | null {
  const facts = cells.map(({ facts }) => facts[place]).filter((fact) => fact !== undefined);
  return facts.length === 0 ? null : facts.filter(isVisibleFact).length / facts.length;
}

function split(by: Breakdown['by'], parts: readonly Part[]): readonly Breakdown[] {
  const total = parts.reduce((sum, { difference }) => sum + difference, 0);
  const names = [...new Set(parts.map(({ name }) => name))].sort((x, y) => x.localeCompare(y, 'en', { numeric: true }));
  return names.map((name) => {
    const own = parts.filter((part) => part.name === name);
    const sum = own.reduce((all, { difference }) => all + difference, 0);
    const share = Math.abs(total) < 1e-9 ? null : sum / total;
    return {
      by,
      name,
      count: own.length,
      difference: sum / own.length,
      share,
      isConcentrated:
        share !== null && names.length > 1 && share >= LEAST_SHARE && share >= (OVER * own.length) / parts.length,
    };
  });
}
