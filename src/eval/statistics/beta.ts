import { logGamma } from './gamma.ts';

/** Regularised incomplete beta function: the probability that a Beta(a, b) variable is at most x. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges quickly only on this side of the mean.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Returns the x below which a Beta(a, b) variable falls with this probability. */
export function betaQuantile(chance: number, a: number, b: number): number {
  if (chance <= 0) return 0;
  if (chance >= 1) return 1;
  let low = 0;
  let high = 1;
  // Halving never fails, and 200 steps reach the last bit even close to 0.
  for (let step = 0; step < 200 && high - low > Number.EPSILON * high * 0.5; step++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (betaCdf(middle, a, b) < chance) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const TINY = 1e-300;
const STEPS = 1000;

/** Continued fraction of the incomplete beta function, by the method of Lentz. */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const change = d * c;
    result *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return result;
}

function away(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
