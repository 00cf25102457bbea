import { betaCdf, betaQuantile } from './beta.ts';

/** Returns the probability that a Student's t variable with these degrees of freedom is at most t. */
export function tCdf(t: number, degrees: number): number {
  const tail = betaCdf(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** Returns the t below which such a variable falls with this probability. */
export function tQuantile(chance: number, degrees: number): number {
  if (chance === 0.5) return 0;
  if (chance > 0.5) return -tQuantile(1 - chance, degrees);
  // Near the centre, the other tail of the beta function is more precise.
  const twoSided = 2 * chance;
  const rest = betaQuantile(1 - twoSided, 0.5, degrees / 2);
  const share = rest > 0.5 ? betaQuantile(twoSided, degrees / 2, 0.5) : 1 - rest;
  const squared = rest > 0.5 ? (degrees * (1 - share)) / share : (degrees * rest) / (1 - rest);
  return -Math.sqrt(squared);
}
