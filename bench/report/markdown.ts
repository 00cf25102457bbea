/** Markdown as GitHub shows it. */

export interface Column {
  readonly head: string;
  readonly align: 'left' | 'right';
}

export const left = (head: string): Column => ({ head, align: 'left' });
export const right = (head: string): Column => ({ head, align: 'right' });

/** A screen of usual width shows no more columns. */
export const MOST_COLUMNS = 9;

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  if (columns.length > MOST_COLUMNS)
    throw new Error(`expected a table of at most ${MOST_COLUMNS} columns, got ${columns.length}`);
  const cells = [columns.map(({ head }) => head), ...rows].map((row) => row.map(cell));
  const widths = columns.map((_, at) => Math.max(4, ...cells.map((row) => lengthOf(row[at] ?? ''))));
  const line = (row: readonly string[]): string =>
    `| ${columns.map(({ align }, at) => padded(row[at] ?? '', widths[at] ?? 0, align)).join(' | ')} |`;
  const rule = columns.map(({ align }, at) => {
    const dashes = '-'.repeat((widths[at] ?? 0) - 1);
    return align === 'right' ? `${dashes}:` : `-${dashes}`;
  });
  return [line(cells[0] ?? []), `| ${rule.join(' | ')} |`, ...cells.slice(1).map(line)].join('\n');
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Foreign text, safe within a line: it cannot start a heading, a cell or a tag. */
export function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').trim();
}

/** Joins blocks with an empty line between them and leaves out empty ones. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

function cell(text: string): string {
  return inline(text).replaceAll('|', '\\|');
}

function padded(text: string, width: number, align: Column['align']): string {
  const room = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return align === 'right' ? room + text : text + room;
}

function lengthOf(text: string): number {
  return [...text].length;
}
