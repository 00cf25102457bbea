import { shorten } from './escape.ts';

/** Writes a table for people: the first column aligned left, the others right, no line longer than `columns`. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): readonly string[] {
  const lines = [head, ...rows];
  const widths = head.map((_, place) => Math.max(...lines.map((line) => [...(line[place] ?? '')].length)));
  const others = widths.slice(1).reduce((sum, width) => sum + width + GAP, 0);
  const first = Math.max(SHORTEST, Math.min(widths[0] ?? 0, columns - others));
  return lines.map((line) =>
    line
      .map((cell, place) => {
        const width = place === 0 ? first : (widths[place] ?? 0);
        const text = shorten(cell, width);
        const space = ' '.repeat(Math.max(0, width - [...text].length));
        return place === 0 ? text + space : ' '.repeat(GAP) + space + text;
      })
      .join('')
      .trimEnd(),
  );
}

const GAP = 2;
const SHORTEST = 8;

/** Writes a Markdown table. Its cells must be escaped already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, place) => (place === 0 ? '---' : '---:'))), ...rows.map(line)];
}

const FIXED = '\u00a0';

/** Wraps text into lines of at most `columns` characters, without splitting words. */
export function wrapped(text: string, columns: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // A number stays with its unit.
  for (const word of text.replaceAll(' %', `${FIXED}%`).split(' ')) {
    const start = lines.length === 0 ? '' : indent;
    if (line !== '' && [...start, ...line].length + 1 + [...word].length > columns) {
      lines.push(start + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, (lines.length === 0 ? '' : indent) + line].map((each) => each.replaceAll(FIXED, ' '));
}
