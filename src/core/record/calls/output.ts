/** How every text begins that the engine puts in place of output. It is not output itself, so it is never quoted. */
export const REDUCED_MARK = '[precis: ';

/**
 * Tool output as lines a reader can use: escape sequences gone, JSON opened so that text inside it is text again and every record
 * of a list is one line.
 */
export function outputLines(text: string): readonly string[] {
  const plain = text.includes('\u001b') ? text.replace(ANSI, '') : text;
  const start = plain.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    const lines = jsonLines(start);
    if (lines !== null) return lines;
  }
  const lines = plain.split('\n');
  return plain.includes(REDUCED_MARK) ? lines.filter((line) => !line.startsWith(REDUCED_MARK)) : lines;
}

/** The exit code that the lines of an output report, the last one said; null when none does. */
export function exitCodeOf(lines: readonly string[]): number | null {
  for (const line of lines.toReversed()) {
    const match = EXIT_CODE.exec(line);
    if (match !== null) return Number(match[1]);
  }
  return null;
}

/** `exit_code: 1` of opened JSON, `Exit code 1`, `exited with code 2`, `exit status 3`. */
const EXIT_CODE =
  /(?:^|[\s,{"[])(?:exit(?:ed)?(?: with)?[ _]?(?:code|status)|exitCode|returncode)"?\s*[:=]?\s*(\d{1,3})(?![\w.])/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a terminal sequence
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;
/** A record whose JSON is this short stays one line. */
const RECORD_CHARS = 240;

function jsonLines(text: string): readonly string[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    return null;
  }
  const lines: string[] = [];
  const stack: { readonly key: string; readonly value: unknown }[] = [{ key: '', value }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { key, value: node } = item;
    const label = key === '' ? '' : `${key}: `;
    if (typeof node === 'string') {
      // Not with `push(...)`: a text of some hundred thousand lines is more arguments than a call may have.
      const own = node.split('\n');
      if (own.length === 1) lines.push(`${label}${node}`);
      else for (const line of own) lines.push(line);
    } else if (typeof node !== 'object' || node === null) lines.push(`${label}${String(node)}`);
    else if (isFlatRecord(node)) lines.push(`${label}${inline(node)}`);
    else if (Array.isArray(node)) for (const child of [...node].reverse()) stack.push({ key, value: child });
    else for (const [name, child] of Object.entries(node).reverse()) stack.push({ key: name, value: child });
  }
  return lines;
}

/** Small and one level deep, so that it reads well on one line. Checked without walking down, so depth cannot hurt. */
function isFlatRecord(node: object): boolean {
  const values = Object.values(node);
  return (
    values.length <= 12 &&
    values.every((value) => (typeof value === 'string' ? !value.includes('\n') : typeof value !== 'object')) &&
    inline(node).length <= RECORD_CHARS
  );
}

function inline(node: object): string {
  if (Array.isArray(node)) return node.join(', ');
  return Object.entries(node)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ');
}
