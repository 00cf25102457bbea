import { at, colour, dashes, escaped, svg } from './chart-svg.ts';

export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
}

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 860;
const NAME_ROOM = 140;
const LABEL_GAP = 15;

/** Lines over two logarithmic axes, each with its name at its end. Points without a logarithm are left out. */
export function lineChart({ title, xLabel, yLabel, lines, formatX, formatY }: LineChart): string {
  const height = Math.max(480, 130 + lines.length * LABEL_GAP);
  const box = { left: 78, right: WIDTH - NAME_ROOM - 20, top: 66, bottom: height - 56 };
  const drawn = lines.map(({ name, points }) => ({
    name,
    points: points.filter(([x, y]) => isPlaced(x) && isPlaced(y)),
  }));
  const all = drawn.flatMap(({ points }) => points);
  if (all.length === 0) return svg({ width: WIDTH, height, title, body: [nothing(WIDTH / 2, height / 2)] });
  const xs = logScale(
    all.map(([x]) => x),
    box.left,
    box.right,
    0,
  );
  const ys = logScale(
    all.map(([, y]) => y),
    box.bottom,
    box.top,
    0.04,
  );
  const ends = drawn.flatMap(({ name, points }, index) => {
    const last = points.at(-1);
    return last === undefined ? [] : [{ name, index, x: xs.place(last[0]), y: ys.place(last[1]) }];
  });
  const labels = apart(
    ends.map(({ y }) => y),
    LABEL_GAP,
    box.top,
    box.bottom,
  );
  return svg({
    width: WIDTH,
    height,
    title,
    body: [
      ...ys.ticks.map(
        (tick) =>
          `<path class="rule" d="M${box.left} ${at(ys.place(tick))}H${box.right}"/><text class="soft end" x="${box.left - 8}" y="${at(ys.place(tick) + 4)}">${escaped(formatY(tick))}</text>`,
      ),
      ...xs.ticks.map(
        (tick) =>
          `<path class="rule" d="M${at(xs.place(tick))} ${box.top}V${box.bottom}"/><text class="soft mid" x="${at(xs.place(tick))}" y="${box.bottom + 18}">${escaped(formatX(tick))}</text>`,
      ),
      `<path class="axis" fill="none" d="M${box.left} ${box.top}V${box.bottom}H${box.right}"/>`,
      `<text class="soft" x="20" y="50">${escaped(yLabel)}</text>`,
      `<text class="soft mid" x="${(box.left + box.right) / 2}" y="${height - 16}">${escaped(xLabel)}</text>`,
      ...drawn.flatMap(({ points }, index) => {
        const places = points.map(([x, y]) => `${at(xs.place(x))} ${at(ys.place(y))}`);
        const dots = places.map((place) => `M${place}h0`).join('');
        return places.length === 0
          ? []
          : [
              `<g class="${colour(index)}"><path class="line" d="M${places.join('L')}"${dashes(index)}/><path class="dots" d="${dots}"/></g>`,
            ];
      }),
      ...ends.map(({ name, index, x, y }, label) => {
        const to = labels[label] ?? y;
        return `<g class="${colour(index)}"><path class="lead" d="M${at(x + 5)} ${at(y)}L${box.right + 18} ${at(to)}"/><text class="name" x="${box.right + 22}" y="${at(to + 4)}">${escaped(cut(name, 20))}</text></g>`;
      }),
    ],
  });
}

export interface BarChart {
  readonly title: string;
  readonly yLabel: string;
  /** Beside each other, one for each bar name. */
  readonly groups: readonly BarGroup[];
  /** Of the bars of every group, in order; they are the legend. */
  readonly names: readonly string[];
  readonly format: (value: number) => string;
  /** Where the axis ends. @default the largest value */
  readonly max?: number;
}

export interface BarGroup {
  readonly name: string;
  /** In the order of the names; null where there is none. */
  readonly values: readonly (number | null)[];
}

/** Groups of bars from zero up, each with its value above it. */
export function barChart({ title, yLabel, groups, names, format, max }: BarChart): string {
  const height = 400;
  const legend = legendOf(names, 78, 62);
  const box = { left: 78, right: WIDTH - 24, top: legend.bottom + 22, bottom: height - 44 };
  const values = groups.flatMap((group) => group.values.filter((value) => value !== null && Number.isFinite(value)));
  if (values.length === 0) return svg({ width: WIDTH, height, title, body: [nothing(WIDTH / 2, height / 2)] });
  const most = max ?? Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const place = (value: number): number => box.bottom - Math.min(1, Math.max(0, value / most)) * (box.bottom - box.top);
  const room = (box.right - box.left) / groups.length;
  const wide = Math.min(64, (room * 0.8) / Math.max(1, names.length));
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => part * most);
  return svg({
    width: WIDTH,
    height,
    title,
    body: [
      `<text class="soft" x="20" y="48">${escaped(yLabel)}</text>`,
      ...legend.body,
      ...ticks.map(
        (tick) =>
          `<path class="rule" d="M${box.left} ${at(place(tick))}H${box.right}"/><text class="soft end" x="${box.left - 8}" y="${at(place(tick) + 4)}">${escaped(format(tick))}</text>`,
      ),
      ...groups.flatMap((group, index) => {
        const middle = box.left + room * (index + 0.5);
        const from = middle - (wide * names.length) / 2;
        const bars = names.flatMap((_, bar) => {
          const value = group.values[bar] ?? null;
          if (value === null || !Number.isFinite(value)) return [];
          const x = from + bar * wide;
          const y = place(value);
          return [
            `<g class="${colour(bar)}"><rect class="bar" x="${at(x + 1.5)}" y="${at(y)}" width="${at(Math.max(1, wide - 3))}" height="${at(Math.max(0, box.bottom - y))}" rx="2"/></g>`,
            ...(wide < 22
              ? []
              : [`<text class="mid" x="${at(x + wide / 2)}" y="${at(y - 5)}">${escaped(format(value))}</text>`]),
          ];
        });
        return [...bars, `<text class="mid" x="${at(middle)}" y="${box.bottom + 20}">${escaped(group.name)}</text>`];
      }),
      `<path class="axis" d="M${box.left} ${box.bottom}H${box.right}"/>`,
    ],
  });
}

/** Names with their colours in rows, as many as fit beside each other. */
function legendOf(
  names: readonly string[],
  left: number,
  top: number,
): { readonly body: readonly string[]; readonly bottom: number } {
  let x = left;
  let y = top;
  const body = names.map((name, index) => {
    const shown = cut(name, 40);
    const width = 38 + shown.length * 7;
    if (x > left && x + width > WIDTH - 24) {
      x = left;
      y += 20;
    }
    const entry = `<g class="${colour(index)}"><rect class="bar" x="${x}" y="${y}" width="12" height="12" rx="2"/></g><text x="${x + 18}" y="${y + 10}">${escaped(shown)}</text>`;
    x += width;
    return entry;
  });
  return { body, bottom: y + 12 };
}

interface Scale {
  readonly ticks: readonly number[];
  place(value: number): number;
}

/** @param margin room beyond the outermost values, as a part of the whole */
function logScale(values: readonly number[], from: number, to: number, margin: number): Scale {
  const logs = values.map(Math.log10);
  const least = Math.min(...logs);
  const most = Math.max(...logs);
  // One point alone stands in the middle of a decade.
  const spread = most - least < 1e-9 ? 1 : most - least;
  const low = (most - least < 1e-9 ? least - 0.5 : least) - spread * margin;
  const high = low + spread * (1 + 2 * margin);
  return {
    ticks: ticksBetween(low, high),
    place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  };
}

/** Powers of ten, few enough to be read; where there are hardly any, their threefold too. Takes and needs logarithms. */
function ticksBetween(low: number, high: number): readonly number[] {
  const first = Math.floor(low);
  const decades = Array.from({ length: Math.floor(high) - first + 1 }, (_, n) => first + n);
  const step = Math.max(1, Math.ceil(decades.length / 8));
  const factors = decades.length <= 3 ? [1, 3] : [1];
  return decades
    .filter((_, index) => index % step === 0)
    .flatMap((decade) => factors.map((factor) => factor * 10 ** decade))
    .filter((tick) => isPlaced(tick) && Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9);
}

/** The places again, moved so that none is nearer to another than the gap; the order stays. */
function apart(places: readonly number[], gap: number, top: number, bottom: number): readonly number[] {
  const order = places.map((place, index) => ({ place, index })).toSorted((left, right) => left.place - right.place);
  const moved = order.map(({ place }) => place);
  for (let n = 1; n < moved.length; n++) moved[n] = Math.max(moved[n] ?? 0, (moved[n - 1] ?? 0) + gap);
  let limit = bottom;
  for (let n = moved.length - 1; n >= 0; n--) {
    moved[n] = Math.min(moved[n] ?? 0, limit);
    limit = (moved[n] ?? 0) - gap;
  }
  const result = [...places];
  order.forEach(({ index }, n) => {
    result[index] = Math.max(moved[n] ?? 0, top);
  });
  return result;
}

function isPlaced(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function nothing(x: number, y: number): string {
  return `<text class="soft mid" x="${x}" y="${y}">nothing was measured</text>`;
}

function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}
