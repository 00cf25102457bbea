/** Plots of a replay as SVG, made by code alone: no script, no font, nothing to load. Colours are classes of the page. */
import { html } from '../escape.ts';

export interface Line {
  readonly values: readonly number[];
  readonly style: string;
}

export interface SmallPlot {
  readonly title: string;
  readonly label: string;
  readonly lines: readonly Line[];
  /** Indexes at which something happened, with the class of the mark. */
  readonly marks: readonly { readonly at: number; readonly style: string }[];
  /** A line across, e.g. the window. */
  readonly limit: number | null;
  readonly most: number;
  readonly topText: string;
}

const WIDTH = 260;
const HEIGHT = 128;
const LEFT = 4;
const TOP = 22;
const BOTTOM = 22;
/** With more points, they would be drawn over each other. */
const MOST_POINTS = 400;

export function smallPlot({ title, label, lines, marks, limit, most, topText }: SmallPlot): string {
  const length = Math.max(2, ...lines.map(({ values }) => values.length));
  const x = (at: number): number => LEFT + (at / (length - 1)) * (WIDTH - 2 * LEFT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / Math.max(1e-9, most)) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    `<text class="name" x="${LEFT}" y="13">${html(title)}</text>`,
    `<text class="value" x="${WIDTH - LEFT}" y="13" text-anchor="end">${html(label)}</text>`,
    `<line class="axis" x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>`,
    ...(limit === null || limit > most
      ? []
      : [`<line class="limit" x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${fixed(y(limit))}" y2="${fixed(y(limit))}"/>`]),
    ...lines.map(({ values, style }) => `<polyline class="${style}" points="${pointsOf(values, x, y)}"/>`),
    ...marks.map(
      ({ at, style }) =>
        `<line class="${style}" x1="${fixed(x(at))}" x2="${fixed(x(at))}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM + 6}"/>`,
    ),
    `<text class="small" x="${WIDTH - LEFT}" y="${HEIGHT - 2}" text-anchor="end">${html(topText)}</text>`,
  ];
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${html(`${title}: ${label}`)}">${parts.join('')}</svg>`;
}

/** Thins out values and keeps every peak and drop: from each stretch it draws the smallest and the largest value, in their order. */
function pointsOf(values: readonly number[], x: (at: number) => number, y: (value: number) => number): string {
  const step = Math.max(1, Math.ceil((2 * values.length) / MOST_POINTS));
  const points: string[] = [];
  for (let from = 0; from < values.length; from += step) {
    let low = from;
    let high = from;
    for (let at = from; at < Math.min(from + step, values.length); at++) {
      if ((values[at] ?? 0) < (values[low] ?? 0)) low = at;
      if ((values[at] ?? 0) > (values[high] ?? 0)) high = at;
    }
    for (const at of low === high ? [low] : [Math.min(low, high), Math.max(low, high)])
      points.push(`${fixed(x(at))},${fixed(y(values[at] ?? 0))}`);
  }
  return points.join(' ');
}

export interface ScatterPoint {
  readonly name: string;
  /** From 0 to 1; null when unknown. */
  readonly x: number | null;
  readonly y: number;
  readonly style: string;
}

const PLOT_WIDTH = 860;
const PLOT_HEIGHT = 420;
const LANE = 190;
const EDGE = 46;
const LETTER = 6.6;
const ROW = 14;

/** Draws cost against facts kept. Policies whose facts are unknown get their own lane. */
export function scatterPlot(points: readonly ScatterPoint[], xTitle: string, yTitle: string): string {
  const known = points.flatMap(({ x }) => (x === null ? [] : [x]));
  const [minX, maxX] = spread(known, 0.02);
  const [minY, maxY] = spread(
    points.map(({ y }) => y),
    0.02,
  );
  const right = PLOT_WIDTH - 150;
  const xAt = (value: number): number => LANE + 20 + ((value - minX) / (maxX - minX)) * (right - LANE - 20);
  const yAt = (value: number): number =>
    PLOT_HEIGHT - EDGE - ((value - minY) / (maxY - minY)) * (PLOT_HEIGHT - EDGE - 24);
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = [];
  const drawn = points
    .toSorted((one, other) => other.y - one.y)
    .map(({ name, x, y, style }) => {
      const px = x === null ? EDGE + 14 : xAt(x);
      const py = yAt(y);
      const width = name.length * LETTER;
      let ty = py + 4;
      while (
        taken.some(
          (other) => Math.abs(other.y - ty) < ROW - 1 && other.x < px + 8 + width && px + 8 < other.x + other.width,
        )
      )
        ty += 2;
      taken.push({ x: px + 8, y: ty, width });
      const lead =
        Math.abs(ty - py - 4) > 3
          ? `<line class="axis" x1="${fixed(px)}" y1="${fixed(py)}" x2="${fixed(px + 8)}" y2="${fixed(ty - 4)}"/>`
          : '';
      return `${lead}<circle class="${style}" cx="${fixed(px)}" cy="${fixed(py)}" r="4"/><text class="small" x="${fixed(px + 8)}" y="${fixed(ty)}">${html(name)}</text>`;
    });
  const parts = [
    `<line class="axis" x1="${EDGE}" x2="${right}" y1="${PLOT_HEIGHT - EDGE}" y2="${PLOT_HEIGHT - EDGE}"/>`,
    `<line class="axis" x1="${EDGE}" x2="${EDGE}" y1="16" y2="${PLOT_HEIGHT - EDGE}"/>`,
    `<line class="limit" x1="${LANE}" x2="${LANE}" y1="16" y2="${PLOT_HEIGHT - EDGE}"/>`,
    ...(known.length === 0
      ? []
      : ticksOf(minX, maxX).map(
          (tick) =>
            `<text class="small" x="${fixed(xAt(tick))}" y="${PLOT_HEIGHT - EDGE + 16}" text-anchor="middle">${(tick * 100).toFixed(0)} %</text>`,
        )),
    ...ticksOf(minY, maxY).map(
      (tick) =>
        `<text class="small" x="${EDGE - 6}" y="${fixed(yAt(tick) + 4)}" text-anchor="end">${(tick * 100).toFixed(0)} %</text>`,
    ),
    `<text class="small" x="${(EDGE + LANE) / 2}" y="${PLOT_HEIGHT - EDGE + 16}" text-anchor="middle">words not known</text>`,
    `<text class="value" x="${(LANE + right) / 2}" y="${PLOT_HEIGHT - 8}" text-anchor="middle">${html(xTitle)}</text>`,
    `<text class="value" x="${EDGE}" y="12">${html(yTitle)}</text>`,
    ...drawn,
  ];
  return `<svg viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" role="img" aria-label="${html(`${yTitle} against ${xTitle}`)}">${parts.join('')}</svg>`;
}

/** Returns about four round figures between two values. */
function ticksOf(low: number, high: number): readonly number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

function spread(values: readonly number[], least: number): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max(least, (high - low) * 0.08);
  return [low - room, high + room];
}

function fixed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
