/** Coefficients of the Lanczos approximation with g = 7, accurate to about fifteen digits. */
const LANCZOS: readonly number[] = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Logarithm of the gamma function of a positive number. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let sum = LANCZOS[0] ?? 0;
  for (let index = 1; index < LANCZOS.length; index++) sum += (LANCZOS[index] ?? 0) / (x - 1 + index);
  const base = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

/** Logarithm of the number of ways to choose `chosen` of `count`. */
export function logChoose(count: number, chosen: number): number {
  return logGamma(count + 1) - logGamma(chosen + 1) - logGamma(count - chosen + 1);
}
