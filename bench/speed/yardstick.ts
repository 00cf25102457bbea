/**
 * A fixed piece of work that is not ours: its time says how fast the machine is right now. It parses, matches, counts in a map, sorts and
 * slices, as the engine does, and uses neither our code nor the tokenizer: an upgrade of that must show in the figures, and its cache is
 * full of what a workload left in it. It has run a few times when it is given, so that it is compiled.
 */
export function warmYardstick(): () => number {
  const yardstick = createYardstick();
  for (let n = 0; n < 15; n++) yardstick();
  return yardstick;
}

function createYardstick(): () => number {
  const json = JSON.stringify(records());
  return () => {
    const parsed = JSON.parse(json) as readonly { readonly name: string; readonly text: string }[];
    const counts = new Map<string, number>();
    for (const { name, text } of parsed)
      for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
        const key = `${name.slice(0, 2)}:${word.toLowerCase()}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    const pairs = [...counts].toSorted(([left, one], [right, other]) => other - one || (left < right ? -1 : 1));
    let sum = 0;
    for (const [key, count] of pairs)
      for (let at = 0; at < key.length; at++) sum = (sum * 31 + key.charCodeAt(at) * count) | 0;
    return sum;
  };
}

const RECORDS = 100;
const WORDS = 60;

/** The same on every machine: a small generator of numbers that has no seed but its first. */
function records(): readonly { readonly name: string; readonly text: string }[] {
  let state = 42;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const word = (): string =>
    Array.from({ length: 2 + next(8) }, () => String.fromCharCode(97 + next(26))).join('') +
    (next(5) === 0 ? next(900) : '');
  return Array.from({ length: RECORDS }, (_, index) => ({
    name: `${index.toString(36)}-${word()}`,
    text: Array.from({ length: WORDS }, word).join(' '),
  }));
}
