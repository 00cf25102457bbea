import { Help } from 'commander';

/** Narrower than this, lines are harder to read than a terminal's own wrapping. */
const LEAST_COLUMNS = 20;

/** The text in lines that end before `columns`. It begins at column `indent`, and so does each further line. */
export function wrapAt(indent: number, text: string, columns: number): string {
  const help = new Help();
  help.minWidthToWrap = LEAST_COLUMNS;
  return help.boxWrap(text, columns - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
}
