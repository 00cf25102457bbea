/**
 * Arithmetic that gives the same bits on every machine. `Math.log` and `Math.exp` may differ in the last digit between engines, and a view must
 * not depend on where it was made.
 */

/** About log2 of a positive number: exact for powers of two, a straight line between them. */
export function bitsOf(value: number): number {
  let bits = 0;
  let rest = value;
  while (rest >= 2) {
    rest /= 2;
    bits++;
  }
  return bits + rest - 1;
}

/** A step of scores: 64 of them double a worth. */
const STEPS = 64;
const STEP = 1.0108892860517005;
const MOST_STEPS = 40 * STEPS;
const POWERS = powersOf(STEP, STEPS);

/** Two to the power of a score, in steps of a 64th. */
export function growth(score: number): number {
  const steps = Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round(score * STEPS)));
  const doublings = Math.floor(steps / STEPS);
  const part = POWERS[steps - doublings * STEPS] ?? 1;
  return part * (doublings >= 0 ? 2 ** doublings : 1 / 2 ** -doublings);
}

function powersOf(base: number, count: number): readonly number[] {
  const powers = [1];
  for (let at = 1; at < count; at++) powers.push((powers[at - 1] ?? 1) * base);
  return powers;
}
