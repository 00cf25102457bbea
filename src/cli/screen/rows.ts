import type { Color, Paint } from './paint.ts';

/** A line of figures: a label, a value, what the value means, and a colour that says whether that is good. */
export type Row = readonly [label: string, value: string, remark: string, color?: Color];

export function rowsText(rows: readonly Row[], paint: Paint): readonly string[] {
  const wide = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length)) + 3;
  return rows.map(([label, value, remark, color = 'bold']) =>
    `  ${paint('dim', label)}${' '.repeat(wide(0) - label.length)}${paint(color, value)}${' '.repeat(wide(1) - value.length)}${remark}`.trimEnd(),
  );
}
