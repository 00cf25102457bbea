/** Speed and memory of precis itself. */
import { type Baseline, entriesOf } from '../../speed/baseline.ts';
import { compare, verdict } from '../../speed/compare.ts';
import type { SpeedResults, SpeedRow } from '../../speed/types.ts';
import { listed, megabytes, milliseconds, NONE, percent, plural, shortTokens, whole } from '../figures.ts';
import { blocks, left, list, right, table } from '../markdown.ts';

/** What one operation of a workload is, in a few words. */
export type Descriptions = Readonly<Record<string, string>>;

export function speed(results: SpeedResults, baseline: Baseline, descriptions: Descriptions): string {
  return blocks(
    '## Speed and memory of precis',
    `The columns show the median processor time for one operation, by size of the history. *memory* is the peak during the first operation at the largest size, less what was held before. *growth* is the exponent of the size: 1 is linear, 0 does not depend on the history. Measured with ${plural(results.cpu.cores, 'core')}, Node ${results.node}${results.quick ? ', without the largest sizes' : ''}.`,
    times(results),
    list(namesOf(results.rows).map((name) => `\`${name}\`: ${descriptions[name] ?? 'see `bench/speed/workloads`'}.`)),
    growthSentence(results),
    '![Time per operation by size of the history](charts/speed.svg)',
    lines(results),
    `Noise: two measurements of the same code in one run differ by ${percent(results.noise.median)} (median) and by ${percent(results.noise.largest)} at most (${results.noise.where}).`,
    againstBaseline(results, baseline),
  );
}

function times({ rows, exponents }: SpeedResults): string {
  // The chart shows all sizes; the table stays narrow enough to read.
  const sizes = shown([...new Set(rows.map(({ size }) => size))].toSorted((one, other) => one - other));
  const slope = (workload: string, of: 'time' | 'memory'): string =>
    exponents.find((each) => each.workload === workload && each.of === of)?.slope?.toFixed(2) ?? NONE;
  return table(
    [
      left('workload'),
      ...sizes.map((size) => right(shortTokens(size))),
      right('growth'),
      right('memory'),
      right('memory growth'),
    ],
    namesOf(rows).map((name) => {
      const own = rows.filter(({ workload }) => workload === name);
      const largest = own.toSorted((one, other) => other.size - one.size)[0];
      return [
        `\`${name}\``,
        ...sizes.map((size) => {
          const row = own.find((each) => each.size === size);
          return row === undefined ? NONE : milliseconds(row.ms);
        }),
        slope(name, 'time'),
        largest === undefined ? NONE : megabytes(largest.peakMb),
        slope(name, 'memory'),
      ];
    }),
  );
}

const MOST_SIZES = 5;

/** Powers of ten, and the largest. */
function shown(sizes: readonly number[]): readonly number[] {
  return sizes.filter((size) => size === sizes.at(-1) || Number.isInteger(Math.log10(size))).slice(-MOST_SIZES);
}

/** Above this, twice the history costs notably more than twice the time. */
const LINEAR = 1.15;

function growthSentence({ exponents, rows }: SpeedResults): string {
  const steep = exponents.filter(({ slope }) => slope !== null && slope > LINEAR);
  const over =
    steep.length === 0
      ? `Over all sizes, no exponent is above ${LINEAR}.`
      : `More than linear over all sizes: ${steep.map(({ workload, of, words }) => `\`${workload}\` (${of}, ${words})`).join('; ')}.`;
  const last = namesOf(rows)
    .flatMap((name) => lastSlope(rows.filter(({ workload }) => workload === name)) ?? [])
    .filter(({ slope }) => slope > LINEAR)
    .toSorted((one, other) => other.slope - one.slope);
  return last.length === 0
    ? over
    : `${over} Between the two largest sizes, these grow faster: ${listed(last.map(({ name, slope }) => `\`${name}\` (${slope.toFixed(2)})`))}.`;
}

/** The exponent of time between the two largest sizes. */
function lastSlope(rows: readonly SpeedRow[]): { readonly name: string; readonly slope: number } | null {
  const [before, last] = rows.toSorted((one, other) => one.tokens - other.tokens).slice(-2);
  if (before === undefined || last === undefined || before.ms <= 0 || last.tokens <= before.tokens) return null;
  return { name: last.workload, slope: Math.log(last.ms / before.ms) / Math.log(last.tokens / before.tokens) };
}

function lines({ lines: rows }: SpeedResults): string {
  const [slowest] = rows.toSorted((one, other) => other.ms - one.ms);
  if (slowest === undefined) return '';
  return blocks(
    'One line of a megabyte makes careless code quadratic. Time to compact a conversation with such a line:',
    table(
      [left('the line'), right('time')],
      rows.map(({ what, ms }) => [what, milliseconds(ms)]),
    ),
  );
}

function againstBaseline(results: SpeedResults, baseline: Baseline): string {
  if (results.date === baseline.date) return 'This run is the baseline for later changes.';
  const compared = compare(entriesOf(results), baseline.entries, !results.quick);
  return `Compared with the baseline of ${baseline.date.slice(0, 10)} (Node ${baseline.node}, ${plural(baseline.cpu.cores, 'core')}), ${whole(compared.length)} figures: ${verdict(compared).join(' ')}`;
}

function namesOf(rows: readonly SpeedRow[]): readonly string[] {
  return [...new Set(rows.map(({ workload }) => workload))];
}
