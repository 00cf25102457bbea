/** Compares times. A difference within the noise counts as neither faster nor slower. */
import type { PeersResults } from '../peers/results.ts';
import { factor } from './figures.ts';
import { isOurs } from './rows.ts';

export interface Timed {
  readonly arm: string;
  readonly ms: number;
}

export interface Compared {
  readonly own: Timed;
  /** The other arms, here and below, the fastest first. */
  readonly others: readonly Timed[];
  readonly faster: readonly Timed[];
  readonly slower: readonly Timed[];
}

/** Null when precis was not measured. */
export function compared(timed: readonly Timed[], noise: number): Compared | null {
  const own = timed.find(({ arm }) => arm === 'precis');
  if (own === undefined) return null;
  const others = timed.filter(({ arm }) => !isOurs(arm)).toSorted((one, other) => one.ms - other.ms);
  return {
    own,
    others,
    faster: others.filter(({ ms }) => ms * factor(noise) < own.ms),
    slower: others.filter(({ ms }) => ms > own.ms * factor(noise)),
  };
}

/** The session sizes at which a turn was measured. */
export function turnSizes({ cost: { turns } }: Pick<PeersResults, 'cost'>): readonly number[] {
  return [...new Set(turns.map(({ tokens }) => tokens))].toSorted((one, other) => one - other);
}

export function turnsAt({ cost: { turns } }: Pick<PeersResults, 'cost'>, size: number): readonly Timed[] {
  return turns.filter(({ tokens }) => tokens === size);
}
