import type { Screen } from '../world.ts';
import { type Color, paintFor } from './paint.ts';
import { wrapAt } from './wrap.ts';

/** A line of figures: a label, a value, what the value means, and a colour that says whether that is good. */
export type Row = readonly [label: string, value: string, remark: string, color?: Color];

export function rowsText(rows: readonly Row[], screen: Screen): readonly string[] {
  const paint = paintFor(screen);
  const wide = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length)) + 3;
  const [labels, values] = [wide(0), wide(1)];
  return rows.map(([label, value, remark, color = 'bold']) => {
    const figures = `  ${paint('dim', label.padEnd(labels))}${paint(color, value)}${' '.repeat(values - value.length)}`;
    return `${figures}${wrapAt(2 + labels + values, remark, screen.columns)}`.trimEnd();
  });
}
