import { below, type Random } from './random.ts';

/** The result of a sign-flip test. */
export interface SignFlip {
  /** Two-sided. */
  readonly p: number;
  /** The smallest p that this many units can reach, if all differences had the same sign. */
  readonly least: number;
  /** True when all sign combinations were tried, false when they were sampled. */
  readonly isExact: boolean;
}

/** Up to this many units, all sign combinations are tried: 16,384 of them. */
const EXACT_UNITS = 14;
const DRAWS = 10_000;
/** Sums that differ only by rounding count as equal. */
const ROUNDING = 1e-9;

/**
 * Sign-flip test. Without a real difference, each unit's sum could equally have the other sign; p is the share of sign combinations whose total
 * is at least as far from 0 as the observed one. Units without a difference change nothing.
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
  // The observed signs are one of the combinations, so p is never 0.
  return { p: (extreme + 1) / (DRAWS + 1), least: 1 / (DRAWS + 1), isExact: false };
}
