import { readFileSync } from 'node:fs';
import { redact } from '../src/core/redact/redact.ts';

export interface RedactRow {
  readonly what: string;
  readonly megabytesPerSecond: number;
  readonly found: number;
}

const SIZE = 4_000_000;
const REPEATS = 5;
const SESSIONS = ['flight-change/session.json', 'incident/session.jsonl', 'rate-limiter/session.json'];

/** How fast text is searched for secrets: the shipped sessions, which have none, and the worst kinds of other text. */
export function redactSpeed(): readonly RedactRow[] {
  const rows = SESSIONS.map((name) =>
    rowOf(name, readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')),
  );
  const secret = `TOKEN=${'q7Zr2Lw9'.repeat(4)}\n`;
  return [
    ...rows,
    rowOf('no anchor at all', 'nothing to see in this line\n'),
    rowOf('base64', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'),
    rowOf('the word token', 'token '),
    rowOf('a secret every line', secret),
    rowOf('a secret every 10 KB', `${'a line of ordinary output, 200 OK\n'.repeat(300)}${secret}`),
  ];
}

function rowOf(what: string, piece: string): RedactRow {
  const text = piece.repeat(Math.ceil(SIZE / piece.length));
  const times: number[] = [];
  let found = 0;
  for (let run = 0; run < REPEATS; run++) {
    const started = performance.now();
    found = redact(text).found.reduce((sum, { count }) => sum + count, 0);
    times.push(performance.now() - started);
  }
  const median = times.toSorted((left, right) => left - right)[REPEATS >> 1] ?? 1;
  return { what, megabytesPerSecond: text.length / 1_000 / median, found };
}

if (import.meta.main) {
  for (const { what, megabytesPerSecond, found } of redactSpeed())
    process.stdout.write(`  ${what.padEnd(28)} ${megabytesPerSecond.toFixed(0).padStart(5)} MB/s, ${found} found\n`);
}
