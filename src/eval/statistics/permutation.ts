import { below, type Random } from './random.ts';

/** The result of a sign-flip test. */
export interface SignFlip {
  /** Two-sided. */
  readonly p: number;
  /** The least p that these units can reach, whatever their signs. */
  readonly least: number;
  /** True when all signs were tried, false when they were drawn. */
  readonly isExact: boolean;
}

/** Up to this many units all signs are tried: 16,384 of them. */
const EXACT_UNITS = 14;
const DRAWS = 10_000;
/** Sums that differ by rounding alone count as equal. */
const ROUNDING = 1e-9;

/**
 * Sign-flip test: were there no difference, each unit's sum could as well have the other sign. How often is the total then
 * at least as far from 0 as the one that was seen? Units without a difference change nothing.
 */
export function signFlip(sums: readonly number[], random: Random): SignFlip {
  const units = sums.filter((sum) => Math.abs(sum) > ROUNDING);
  const seen = Math.abs(units.reduce((total, sum) => total + sum, 0)) - ROUNDING;
  return units.length <= EXACT_UNITS ? exact(units, seen) : drawn(units, seen, random);
}

function exact(units: readonly number[], seen: number): SignFlip {
  const ways = 2 ** units.length;
  let extreme = 0;
  for (let signs = 0; signs < ways; signs++) {
    let total = 0;
    for (let index = 0; index < units.length; index++)
      total += (signs >> index) & 1 ? -(units[index] ?? 0) : (units[index] ?? 0);
    if (Math.abs(total) >= seen) extreme++;
  }
  return { p: extreme / ways, least: Math.min(1, 2 / ways), isExact: true };
}

function drawn(units: readonly number[], seen: number, random: Random): SignFlip {
  let extreme = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    let total = 0;
    for (const unit of units) total += below(random, 2) === 0 ? unit : -unit;
    if (Math.abs(total) >= seen) extreme++;
  }
  // What was seen is one of the ways, so p is never 0.
  return { p: (extreme + 1) / (DRAWS + 1), least: 1 / (DRAWS + 1), isExact: false };
}
