/**
 * Lines without the numbers that a tool put before them: `511→`, `L44:`, `1208-`, `12|`, `> 12 │`. Only a run of lines with rising numbers loses
 * them: a lone `12: foo` is what somebody wrote.
 */
export function withoutLineNumbers(lines: readonly string[]): readonly string[] {
  const result = [...lines];
  let run: Numbered[] = [];
  const finish = (): void => {
    if (isCount(run)) for (const { at, length } of run) result[at] = (lines[at] ?? '').slice(length);
    run = [];
  };
  for (const [at, line] of lines.entries()) {
    const own = numberOf(line, at);
    // A search prints `--` between the places it found.
    if (own === null && (line === '' || line === '--')) continue;
    const last = run.at(-1);
    if (own === null || (last !== undefined && !follows(last, own))) finish();
    if (own !== null) run.push(own);
  }
  finish();
  return result;
}

interface Numbered {
  readonly at: number;
  readonly number: number;
  /** The sign behind the number. */
  readonly sign: string;
  /** Characters of the number with its sign. */
  readonly length: number;
}

/** Numbers and their signs. Times, dates and version numbers have a digit behind the sign. */
const NUMBER = /^[\s>]*L?(\d{1,7})(?: {1,8}\d{1,7})?(→|\t|[:-](?![\d:=-])|\s{0,8}[|│](?!\|))/;

function numberOf(line: string, at: number): Numbered | null {
  const match = NUMBER.exec(line);
  if (match === null) return null;
  return { at, number: Number(match[1]), sign: (match[2] ?? '').trim(), length: match[0].length };
}

/** The signs that nothing but a tool puts behind a number. */
const SURE: ReadonlySet<string> = new Set(['→', '│']);
/** A search marks the lines it found with one sign and those around them with the other, and leaves lines out. */
const SEARCH: ReadonlySet<string> = new Set([':', '-']);
/** This many rising numbers with gaps between them are no accident. */
const FEWEST_FOUND = 3;

function follows(last: Numbered, next: Numbered): boolean {
  const isSameSort = last.sign === next.sign || (SEARCH.has(last.sign) && SEARCH.has(next.sign));
  return isSameSort && next.number > last.number;
}

function isCount(run: readonly Numbered[]): boolean {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return false;
  if (SURE.has(first.sign)) return true;
  const hasGaps = last.number - first.number !== run.length - 1;
  return hasGaps ? SEARCH.has(first.sign) && run.length >= FEWEST_FOUND : run.length > 1;
}
