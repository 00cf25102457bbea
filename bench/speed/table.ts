import { entriesOf, nameOf } from './baseline.ts';
import type { Compared } from './compare.ts';
import type { SpeedResults } from './types.ts';

/** The results as text for a terminal; beside each row what it is by the baseline, if there is one. */
export function tableOf(results: SpeedResults, compared: readonly Compared[] | null): readonly string[] {
  const { rows, lines, exponents, noise, cpu, node } = results;
  const beside = new Map((compared ?? []).map((row) => [row.name, besideOf(row)]));
  const sized = rows.map(({ workload, size, tokens, ms, yardsticks, peakMb, sameByTheSame }) => [
    workload,
    tokens.toLocaleString('en-US'),
    `${digits(ms)} ms`,
    digits(yardsticks),
    peakMb < 1 ? '< 1 MB' : `${peakMb.toFixed(0)} MB`,
    `x${sameByTheSame.toFixed(2)}`,
    beside.get(nameOf(workload, size)) ?? '',
  ]);
  const long = entriesOf({ rows: [], lines }).map(({ name, yardsticks }, index) => [
    name,
    `${digits(lines[index]?.ms ?? 0)} ms`,
    digits(yardsticks),
    beside.get(name) ?? '',
  ]);
  const growth = exponents.map(({ workload, of, words }) => [workload, of, words]);
  const head = ['workload', 'tokens', 'time', 'yardsticks', 'memory', 'A/A', compared === null ? '' : 'baseline'];
  return [
    ...(sized.length === 0 ? [] : ['Speed and memory', ...columns([head, ...sized], 1), '']),
    ...(growth.length === 0 ? [] : ['Growth: exponent of the history size', ...columns(growth, 3), '']),
    ...(long.length === 0 ? [] : ['Compaction of one line of one megabyte', ...columns(long, 1), '']),
    `${cpu.model}, ${cpu.cores} cores, Node ${node}`,
    ...(rows.length === 0
      ? []
      : [
          `Noise of this machine: two measurements of the same code in one run differ by ${percent(noise.median)} (median), ${percent(noise.largest)} at most (${noise.where})`,
        ]),
  ];
}

function besideOf(row: Compared): string {
  switch (row.type) {
    case 'new':
    case 'gone':
      return row.type;
    case 'same':
      return `x${row.ratio.toFixed(2)}`;
    case 'slower':
    case 'faster':
      return `x${row.ratio.toFixed(2)} ${row.type}`;
  }
}

/** @param left so many columns at the left are texts, the others numbers */
function columns(table: readonly (readonly string[])[], left: number): readonly string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    `  ${row.map((cell, at) => (at < left ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`.trimEnd(),
  );
}

function digits(value: number): string {
  if (value >= 100) return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 0.1 ? 2 : 3);
}

function percent(part: number): string {
  return `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;
}
