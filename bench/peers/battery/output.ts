/** Output of the tools in the battery session, about 6 kB each: it names nothing whose fate is asked for later. */

const AREAS = ['booking', 'cabins', 'crew', 'harbours', 'invoices', 'manifest', 'sailings', 'seats', 'vehicles'];
const NOUNS = ['berth', 'deck', 'hold', 'ramp', 'slot', 'voucher', 'waitlist', 'gangway', 'locker', 'roster', 'tide'];
const VERBS = ['assigns', 'frees', 'keeps', 'merges', 'rejects', 'reserves', 'restores', 'sorts', 'splits', 'voids'];
const CASES = [
  'for a single passenger',
  'when the sailing is full',
  'after a cancellation on the same day',
  'with two vehicles and a trailer',
  'when the clock goes back an hour',
  'for a child that travels alone',
  'if the payment is still pending',
  'with a wheelchair place on board',
];

/** Any of a list, the same each time: neighbours differ and rows do not repeat in step. */
function any(list: readonly string[], seed: number): string {
  return list[(seed * 7919 + (seed >> 3) * 31) % list.length] ?? '';
}

function lines(count: number, lineAt: (line: number) => string): string {
  return Array.from({ length: count }, (_, line) => lineAt(line)).join('\n');
}

export function testsOutput(seed: number): string {
  const rows = lines(68, (line) => {
    const at = seed * 68 + line;
    return ` ✓ test/${any(AREAS, at)}/${any(NOUNS, at + 3)}.test.ts > ${any(VERBS, at + 5)} a ${any(NOUNS, at + 1)} ${any(CASES, at + 2)} ${(at * 13) % 41} ms`;
  });
  return `> tidewater@6.${seed}.0 test:unit\n${rows}\n Tests  ${900 + seed} passed (${900 + seed})`;
}

export function logOutput(seed: number): string {
  return lines(80, (line) => {
    const at = seed * 80 + line;
    const second = String(at % 60).padStart(2, '0');
    return `2026-11-0${1 + (seed % 8)}T0${at % 10}:14:${second}Z info ${any(AREAS, at)} ${any(VERBS, at)} ${any(NOUNS, at + 4)} booking=TW${100_000 + at * 37} took=${(at * 17) % 390}ms`;
  });
}

export function matchesOutput(seed: number): string {
  return lines(76, (line) => {
    const at = seed * 76 + line;
    const name = any(NOUNS, at);
    return `src/${any(AREAS, at + 1)}/${name}-${any(VERBS, at + 2)}.ts:${10 + ((at * 11) % 480)}:  const ${name}${at % 90} = await ${any(VERBS, at)}(${any(NOUNS, at + 6)}, ${(at * 29) % 700});`;
  });
}

export function sourceOutput(seed: number): string {
  return lines(24, (line) => {
    const at = seed * 24 + line;
    const [noun, verb] = [any(NOUNS, at), any(VERBS, at + 1)];
    return [
      `/** It ${verb} the ${noun} ${any(CASES, at)}. */`,
      `export function ${verb}${noun}${line}(${noun}: Place, others: readonly Place[]): Place | null {`,
      `  const free = others.filter((each) => each.deck === ${noun}.deck && each.row > ${(at * 5) % 60});`,
      `  return free.at(${at % 4}) ?? null;`,
      '}',
    ].join('\n');
  });
}

/** A call that only looks, and what it prints. */
export function looking(seed: number): {
  readonly command: string | null;
  readonly path: string;
  readonly output: string;
} {
  const path = `src/${any(AREAS, seed)}/${any(NOUNS, seed + 2)}.ts`;
  const word = any(NOUNS, seed);
  switch (seed % 3) {
    case 0:
      return { command: null, path, output: sourceOutput(seed) };
    case 1:
      return { command: `grep -rn "${word}" src --include=*.ts | head -76`, path, output: matchesOutput(seed) };
    default:
      return { command: `ssh staging tail -n 80 /var/log/tidewater/${word}.log`, path, output: logOutput(seed) };
  }
}
