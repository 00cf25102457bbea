import type { RunResult, StateResult } from '../types.ts';
import type { Verdict } from './compare-metric.ts';

/** Sizes and prices of two results. */
export interface Costs {
  /** Mean size of the states of A, in tokens. */
  readonly tokensA: number;
  /** Mean size of the states of B, in tokens. */
  readonly tokensB: number;
  /** Change of size as a share of A; null when A is empty. */
  readonly tokensChange: number | null;
  /** Mean price of making a state of A, in US dollars; null when unknown. */
  readonly usdA: number | null;
  /** Mean price of making a state of B, in US dollars; null when unknown. */
  readonly usdB: number | null;
}

/** The verdict on quality and size together: `trade` is better in one and worse in the other, `unclear` has no verdict on quality. */
export type Pareto = 'dominates' | 'dominated' | 'trade' | 'same' | 'unclear';

interface Side {
  readonly runs: readonly RunResult[];
  readonly arm: string;
}

/** Computes the sizes and prices of the states that both sides have. */
export function costsOf(a: Side, b: Side): Costs {
  const left = statesOf(a);
  const right = statesOf(b);
  const keys = [...left.keys()].filter((key) => right.has(key));
  const pick = (states: ReadonlyMap<string, readonly StateResult[]>): readonly (readonly StateResult[])[] =>
    keys.map((key) => states.get(key) ?? []);
  const tokensA = meanOf(pick(left).map((group) => meanOf(group.map(({ tokens }) => tokens))));
  const tokensB = meanOf(pick(right).map((group) => meanOf(group.map(({ tokens }) => tokens))));
  return {
    tokensA,
    tokensB,
    tokensChange: tokensA === 0 ? null : tokensB / tokensA - 1,
    usdA: priceOf(pick(left)),
    usdB: priceOf(pick(right)),
  };
}

function statesOf({ runs, arm }: Side): ReadonlyMap<string, readonly StateResult[]> {
  const groups = new Map<string, StateResult[]>();
  for (const { fixture, states } of runs)
    for (const state of states) {
      if (state.arm !== arm || state.invalid !== null) continue;
      const key = `${fixture}\0${state.pass}`;
      groups.set(key, [...(groups.get(key) ?? []), state]);
    }
  return groups;
}

function priceOf(groups: readonly (readonly StateResult[])[]): number | null {
  const prices = groups.flat().map(({ usd }) => usd);
  return prices.length === 0 || prices.includes(null) ? null : meanOf(prices.map((usd) => usd ?? 0));
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sizes within one percent of each other count as equal. */
const SAME_SIZE = 0.01;

export function paretoOf(verdict: Verdict, { tokensChange }: Costs): Pareto {
  if (verdict === 'inconclusive' || tokensChange === null) return 'unclear';
  const quality = verdict === 'improved' ? 1 : verdict === 'regressed' ? -1 : 0;
  const size = Math.abs(tokensChange) <= SAME_SIZE ? 0 : tokensChange < 0 ? 1 : -1;
  if (quality === 0 && size === 0) return 'same';
  if (quality >= 0 && size >= 0) return 'dominates';
  return quality <= 0 && size <= 0 ? 'dominated' : 'trade';
}
