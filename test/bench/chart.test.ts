import { describe, expect, test } from 'vitest';
import { type BarChart, barChart, type Line, lineChart } from '../../bench/chart.ts';
import { speedChart } from '../../bench/speed/chart.ts';

const lines = (...drawn: readonly Line[]): string =>
  lineChart({ title: 'Time', xLabel: 'tokens', yLabel: 'ms', lines: drawn, formatX: String, formatY: String });

const bars = (over: Partial<BarChart>): string =>
  barChart({
    title: 'Facts kept',
    yLabel: 'facts',
    names: ['precis', 'newest'],
    groups: [{ name: 'once', values: [68, 5] }],
    format: (value) => `${value} %`,
    ...over,
  });

/** Well-formed, as far as a chart goes: tags closed in order, attributes quoted, no bare mark, no number that is none. */
function expectSound(svg: string): void {
  expect(svg).not.toMatch(/NaN|Infinity|undefined|null|<script/);
  expect(svg.length).toBeLessThan(10_000);
  const open: string[] = [];
  const rest = svg.replaceAll(
    /<(\/?)([a-z]+)((?: [\w-]+(?::\w+)?="[^"<]*")*)(\/?)>/g,
    (_, end, name, _attributes, empty) => {
      if (end === '/') expect(open.pop()).toBe(name);
      else if (empty === '') open.push(name);
      return '';
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot);)/);
}

const power = (name: string, factor: number, exponent: number): Line => ({
  name,
  points: [1e4, 3e4, 1e5, 3e5, 1e6, 3e6].map((x) => [x, factor * x ** exponent]),
});

describe('a chart of lines', () => {
  test.each([
    ['nothing', []],
    ['a line without points', [{ name: 'a', points: [] }]],
    ['one point', [{ name: 'a', points: [[1, 1]] }]],
    [
      'zeros and less',
      [
        {
          name: 'a',
          points: [
            [0, 0],
            [1, 0],
            [-5, 3],
            [10, 4],
          ],
        },
      ],
    ],
    [
      'what is no number',
      [
        {
          name: 'a',
          points: [
            [Number.NaN, 1],
            [1, Number.POSITIVE_INFINITY],
            [2, 2],
          ],
        },
      ],
    ],
    [
      'huge and tiny values',
      [
        {
          name: 'a',
          points: [
            [1e-300, 1e300],
            [1e300, 1e-300],
          ],
        },
      ],
    ],
    [
      'one size',
      [
        {
          name: 'a',
          points: [
            [7, 1],
            [7, 100],
          ],
        },
      ],
    ],
    ['twenty lines', Array.from({ length: 20 }, (_, n) => power(`workload-${n}`, 10 ** -(n % 5), 1))],
  ] as readonly (readonly [string, readonly Line[]])[])('of %s is sound', (_, drawn) => {
    expectSound(lines(...drawn));
  });

  test('says so when nothing was measured', () => {
    expect(lines()).toContain('nothing was measured');
  });

  test('escapes names, and cuts long ones', () => {
    const svg = lines({ name: `<b a="1">&\u0000`, points: [[1, 1]] }, { name: 'x'.repeat(500), points: [[2, 1]] });
    expectSound(svg);
    expect(svg).toContain('&lt;b a=&quot;1&quot;&gt;&amp;<');
    expect(svg).toContain(`${'x'.repeat(19)}…`);
  });

  test('keeps names at the ends of lines apart and inside', () => {
    const svg = lines(...Array.from({ length: 13 }, (_, n) => power(`w${n}`, 1, 1)));
    const places = [...svg.matchAll(/class="name" x="\d+" y="([\d.]+)"/g)].map((match) => Number(match[1]));
    const sorted = places.toSorted((left, right) => left - right);
    for (let n = 1; n < sorted.length; n++) expect(sorted[n]! - sorted[n - 1]!).toBeGreaterThanOrEqual(14.9);
    expect(sorted[0]).toBeGreaterThan(40);
    expect(sorted.at(-1)).toBeLessThan(480);
  });

  test('is as high as the power: twice the exponent, twice the rise', () => {
    const rise = (exponent: number): number => {
      const svg = lines(power('a', 1, exponent), power('flat', 1, 0), power('steep', 1, 2));
      const [, path = ''] = /class="line" d="M([^"]+)"/.exec(svg) ?? [];
      const places = path.split('L').map((place) => Number(place.split(' ')[1]));
      return places[0]! - places.at(-1)!;
    };
    expect(rise(2) / rise(1)).toBeCloseTo(2, 1);
    expect(rise(0)).toBeCloseTo(0, 1);
  });
});

describe('a chart of bars', () => {
  test.each([
    ['nothing', { groups: [], names: [] }],
    ['a group without values', { groups: [{ name: 'once', values: [] }] }],
    ['zeros', { groups: [{ name: 'once', values: [0, 0] }] }],
    ['a value that is missing', { groups: [{ name: 'once', values: [null, 5] }] }],
    ['what is no number', { groups: [{ name: 'once', values: [Number.NaN, 5] }] }],
    ['huge values', { groups: [{ name: 'once', values: [1e300, 1] }] }],
    ['more than the axis holds, and less than nothing', { groups: [{ name: 'once', values: [300, -5] }], max: 100 }],
    ['names with marks', { names: ['<a>', '"&"'], title: '<&>', yLabel: '<', groups: [{ name: '<', values: [1, 2] }] }],
    [
      'many arms',
      {
        names: Array.from({ length: 12 }, (_, n) => `arm number ${n}`),
        groups: [{ name: 'a', values: Array.from({ length: 12 }, (_, n) => n) }],
      },
    ],
  ] as readonly (readonly [string, Partial<BarChart>])[])('of %s is sound', (_, over) => {
    expectSound(bars(over));
  });

  test('writes each value above its bar, and names groups and arms', () => {
    const svg = bars({ max: 100 });
    for (const text of ['68 %', '5 %', 'once', 'precis', 'newest', 'facts', '100 %'])
      expect(svg).toContain(`>${text}<`);
  });

  test('follows light and dark without a script', () => {
    expect(bars({})).toContain('@media(prefers-color-scheme:dark)');
  });
});

test('the chart of the speed suite is drawn from its rows', () => {
  const row = { size: 0, yardsticks: 1, peakMb: 0, sameByTheSame: 1, samples: 6 };
  const rows = [1e4, 1e5, 3e6].map((tokens) => ({ ...row, workload: 'fold', tokens, ms: tokens / 1_000 }));
  const svg = speedChart({ rows });
  expectSound(svg);
  for (const text of ['10K', '100K', '1M', '100 ms', '1 s', 'fold']) expect(svg).toContain(`>${text}<`);
});
