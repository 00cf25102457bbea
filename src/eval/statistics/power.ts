import { mean, variance } from './interval.ts';
import { normalQuantile } from './normal.ts';

/** Probability of seeing an effect that is called detectable. */
export const POWER = 0.8;
export const ALPHA = 0.05;

/** Sum of the z values of level and power: 2.80. */
export function effort(alpha: number = ALPHA, power: number = POWER): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power);
}

/** Returns the smallest difference that a comparison of this many independent pairs shows with the usual power. */
export function detectable(deviation: number, pairs: number): number {
  return pairs <= 0 ? Number.POSITIVE_INFINITY : (effort() * deviation) / Math.sqrt(pairs);
}

/** Returns the number of independent pairs that are needed to see this difference. */
export function pairsNeeded(deviation: number, difference: number): number {
  return difference === 0 ? Number.POSITIVE_INFINITY : ((effort() * deviation) / difference) ** 2;
}

/** Returns how many times more values are needed when they come in correlated groups. */
export function designEffect(groupSize: number, correlation: number): number {
  return Math.max(1, 1 + (groupSize - 1) * correlation);
}

/** Returns the number of independent values that grouped values are worth. */
export function effectiveCount(count: number, groupSize: number, correlation: number): number {
  return count / designEffect(groupSize, correlation);
}

/** Estimates the correlation within groups by analysis of variance, from 0 to 1; 0 when the groups cannot tell. */
export function intraclass(groups: readonly (readonly number[])[]): number {
  const filled = groups.filter((group) => group.length > 0);
  const count = filled.reduce((sum, group) => sum + group.length, 0);
  if (filled.length < 2 || count <= filled.length) return 0;
  const centre = mean(filled.flat());
  let between = 0;
  let within = 0;
  for (const group of filled) {
    between += group.length * (mean(group) - centre) ** 2;
    within += variance(group) * (group.length - 1);
  }
  between /= filled.length - 1;
  within /= count - filled.length;
  const size = (count - filled.reduce((sum, group) => sum + group.length ** 2, 0) / count) / (filled.length - 1);
  const total = between + (size - 1) * within;
  return total <= 0 ? 0 : Math.min(1, Math.max(0, (between - within) / total));
}

export interface Spread {
  /** Standard deviation of the single values. */
  readonly deviation: number;
  readonly correlation: number;
  readonly effective: number;
}

/** Computes the spread behind a mean of grouped values. */
export function spreadOf(groups: readonly (readonly number[])[]): Spread {
  const values = groups.flat();
  const filled = groups.filter((group) => group.length > 0).length;
  const correlation = intraclass(groups);
  return {
    deviation: Math.sqrt(variance(values)),
    correlation,
    effective: filled === 0 ? 0 : effectiveCount(values.length, values.length / filled, correlation),
  };
}
