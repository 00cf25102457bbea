/** Returns the probability that a standard normal variable is at most z. */
export function normalCdf(z: number): number {
  if (z > 0) return 1 - normalCdf(-z);
  return z > -SERIES_TO ? 0.5 + density(z) * series(z) : upperTail(-z);
}

/** Up to this z the series is exact to the last digits; above it the continued fraction is. */
const SERIES_TO = 3;

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

function series(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > 1e-18 * Math.abs(sum); odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

/** Laplace's continued fraction, evaluated from its far end. */
function upperTail(z: number): number {
  let fraction = z;
  for (let step = 200; step > 0; step--) fraction = z + step / fraction;
  return density(z) / fraction;
}

/** Returns the z below which a standard normal variable falls with this probability. */
export function normalQuantile(chance: number): number {
  if (!(chance > 0)) return Number.NEGATIVE_INFINITY;
  if (chance >= 1) return Number.POSITIVE_INFINITY;
  if (chance > 0.5) return -normalQuantile(1 - chance);
  // The starting value of Abramowitz and Stegun (26.2.23) has three correct digits, and each Newton step doubles them.
  const t = Math.sqrt(-2 * Math.log(chance));
  let z = -(
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3)
  );
  for (let step = 0; step < 20; step++) {
    const change = (normalCdf(z) - chance) / density(z);
    if (!Number.isFinite(change)) break;
    // Halley's step, because the curve bends strongly in the tail.
    const next = z - change / (1 + (z * change) / 2);
    if (Math.abs(next - z) < 1e-15 * Math.abs(next)) return next;
    z = next;
  }
  return z;
}
