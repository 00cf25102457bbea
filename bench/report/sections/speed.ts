/** Our own speed and memory. */
import { type Baseline, entriesOf } from '../../speed/baseline.ts';
import { compare, verdict } from '../../speed/compare.ts';
import type { SpeedResults, SpeedRow } from '../../speed/types.ts';
import { listed, megabytes, milliseconds, NONE, percent, plural, shortTokens, whole } from '../figures.ts';
import { blocks, left, list, right, table } from '../markdown.ts';

/** What one operation of a workload is, in a few words. */
export type Descriptions = Readonly<Record<string, string>>;

export function speed(results: SpeedResults, baseline: Baseline, descriptions: Descriptions): string {
  return blocks(
    '## Our own speed and memory',
    `Time of the processor for one operation, the median, by the size of the history. Memory is the most that was held during the first operation beyond what was held before it, at the largest size. *growth* is the exponent: tokens to the power of it; 1 is linear, 0 does not depend on the history. Measured with ${plural(results.cpu.cores, 'core')}, Node ${results.node}${results.quick ? ', the largest sizes left out' : ''}.`,
    times(results),
    list(namesOf(results.rows).map((name) => `\`${name}\`: ${descriptions[name] ?? 'see `bench/speed/workloads`'}.`)),
    growthSentence(results),
    '![Time of one operation by the size of the history](charts/speed.svg)',
    lines(results),
    `Noise: the same code measured twice in one run differs by ${percent(results.noise.median)} at the median and by ${percent(results.noise.largest)} at most, for ${results.noise.where}.`,
    beside(results, baseline),
  );
}

function times({ rows, exponents }: SpeedResults): string {
  // The chart has all sizes; a table of this width is still read.
  const sizes = shown([...new Set(rows.map(({ size }) => size))].toSorted((one, other) => one - other));
  const slope = (workload: string, of: 'time' | 'memory'): string =>
    exponents.find((each) => each.workload === workload && each.of === of)?.slope?.toFixed(2) ?? NONE;
  return table(
    [
      left('workload'),
      ...sizes.map((size) => right(shortTokens(size))),
      right('growth'),
      right('memory'),
      right('its growth'),
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
      ? `Over all sizes no exponent is above ${LINEAR}.`
      : `More than linear over all sizes: ${steep.map(({ workload, of, words }) => `\`${workload}\` (${of}, ${words})`).join('; ')}.`;
  const last = namesOf(rows)
    .flatMap((name) => lastSlope(rows.filter(({ workload }) => workload === name)) ?? [])
    .filter(({ slope }) => slope > LINEAR)
    .toSorted((one, other) => other.slope - one.slope);
  return last.length === 0
    ? over
    : `${over} Between the two largest sizes alone it is more for ${listed(last.map(({ name, slope }) => `\`${name}\` (${slope.toFixed(2)})`))}.`;
}

/** The exponent between the two largest sizes, of time. */
function lastSlope(rows: readonly SpeedRow[]): { readonly name: string; readonly slope: number } | null {
  const [before, last] = rows.toSorted((one, other) => one.tokens - other.tokens).slice(-2);
  if (before === undefined || last === undefined || before.ms <= 0 || last.tokens <= before.tokens) return null;
  return { name: last.workload, slope: Math.log(last.ms / before.ms) / Math.log(last.tokens / before.tokens) };
}

function lines({ lines: rows }: SpeedResults): string {
  const [slowest] = rows.toSorted((one, other) => other.ms - one.ms);
  if (slowest === undefined) return '';
  return blocks(
    'A compaction of a conversation with one line of a megabyte in it, which makes careless code quadratic:',
    table(
      [left('the line'), right('time')],
      rows.map(({ what, ms }) => [what, milliseconds(ms)]),
    ),
  );
}

function beside(results: SpeedResults, baseline: Baseline): string {
  if (results.date === baseline.date) return 'The baseline that later changes are compared with is this very run.';
  const compared = compare(entriesOf(results), baseline.entries, !results.quick);
  return `Beside the baseline of ${baseline.date.slice(0, 10)} (Node ${baseline.node}, ${plural(baseline.cpu.cores, 'core')}), ${whole(compared.length)} figures: ${verdict(compared).join(' ')}`;
}

function namesOf(rows: readonly SpeedRow[]): readonly string[] {
  return [...new Set(rows.map(({ workload }) => workload))];
}
