/** Returns numbers from 0 to below 1. The same seed gives the same numbers on every machine. */
export type Random = () => number;

/** Creates a generator (sfc32), which passes the usual test batteries. Not for secrets. */
export function seeded(seed: number): Random {
  let a = 0x9e3779b9 ^ (seed | 0);
  let b = 0x243f6a88 ^ Math.imul(seed | 0, 0x85ebca6b);
  let c = 0xb7e15162 ^ Math.floor(seed / 0x1_0000_0000);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  };
  // The first numbers still depend visibly on the seed.
  for (let warm = 0; warm < 16; warm++) next();
  return next;
}

/** Returns a whole number from 0 to below `count`. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

/** Returns a number from the standard normal distribution (Box and Muller). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
