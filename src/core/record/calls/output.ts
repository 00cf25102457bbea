import { structuredLines } from './structured-lines.ts';

/** Every text that the engine puts in place of output begins with this mark. Such a text is not output, so it is never quoted. */
export const REDUCED_MARK = '[precis: ';

/**
 * Tool output as readable lines: escape sequences are gone, and structures are unpacked, so that a string in them is plain text again and every
 * small object in a list is one line.
 */
export function outputLines(text: string): readonly string[] {
  const plain = text.includes('\u001b') ? text.replace(ANSI, '') : text;
  const opened = structuredLines(plain);
  if (opened !== null) return opened;
  const lines = plain.split('\n');
  return plain.includes(REDUCED_MARK) ? lines.filter((line) => !line.startsWith(REDUCED_MARK)) : lines;
}

/** The last exit code that an output reports; null when it reports none. */
export function exitCodeOf(lines: readonly string[]): number | null {
  for (const line of lines.toReversed()) {
    const match = EXIT_CODE.exec(line);
    if (match !== null) return Number(match[1]);
  }
  return null;
}

/** `exit_code: 1` from unpacked JSON, `Exit code 1`, `exited with code 2`, `exit status 3`. */
const EXIT_CODE =
  /(?:^|[\s,{"[])(?:exit(?:ed)?(?: with)?[ _]?(?:code|status)|exitCode|returncode)"?\s*[:=]?\s*(\d{1,3})(?![\w.])/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a terminal sequence
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;
