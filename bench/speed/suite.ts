import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request } from '../flags.ts';
import { type Baseline, baselineOf, entriesOf, nameOf, parseBaseline } from './baseline.ts';
import { speedChart } from './chart.ts';
import { type Compared, compare, compareOne, verdict } from './compare.ts';
import { measureSpeed } from './measure.ts';
import { WORKLOADS } from './names.ts';
import { createProcesses } from './processes.ts';
import { tableOf } from './table.ts';
import type { SpeedResults, SpeedRow } from './types.ts';

const BASELINE = 'bench/baseline.json';
const RESULTS = 'bench/results/speed.json';
const CHART = 'docs/charts/speed.svg';

export interface SuiteOutput {
  readonly print: (line: string) => void;
  readonly progress: (line: string) => void;
}

/** Measures, compares with the baseline, prints and saves. Returns whether any row is slower than noise allows. */
export async function runSuite(
  request: Request,
  signal: AbortSignal,
  { print, progress }: SuiteOutput,
): Promise<boolean> {
  const baseline = readBaseline();
  const folder = mkdtempSync(join(tmpdir(), 'precis-bench-'));
  let results: SpeedResults;
  try {
    results = await measureSpeed({
      names: request.workloads,
      quick: request.quick,
      folder,
      processes: createProcesses(folder, signal),
      progress,
      // What is to be the baseline is measured like anything else: no row is given a second chance.
      ...(baseline === null || request.save ? {} : { doubtful: slowerThan(baseline) }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const whole = !request.quick && request.workloads.length === WORKLOADS.length + 1;
  const compared = baseline === null ? null : compare(entriesOf(results), baseline.entries, whole);
  for (const line of tableOf(results, compared)) print(line);
  for (const line of outcome(baseline, compared)) print(line);
  if (request.json !== null) writeFileSync(request.json, json(results));
  if (request.save) save(results, progress);
  return compared?.some(({ type }) => type === 'slower') ?? false;
}

function slowerThan({ entries }: Baseline): (row: SpeedRow) => boolean {
  const earlier = new Map(entries.map((entry) => [entry.name, entry]));
  return (row) => {
    const name = nameOf(row.workload, row.size);
    return compareOne({ ...row, name }, earlier.get(name)).type === 'slower';
  };
}

function outcome(baseline: Baseline | null, compared: readonly Compared[] | null): readonly string[] {
  if (baseline === null || compared === null)
    return [`No ${BASELINE} to compare with: npm run bench -- --save creates one`];
  const { date, node, cpu } = baseline;
  return [`Baseline of ${date.slice(0, 10)}: ${cpu.model}, ${cpu.cores} cores, Node ${node}`, ...verdict(compared)];
}

function save(results: SpeedResults, progress: SuiteOutput['progress']): void {
  for (const [file, text] of [
    [BASELINE, json(baselineOf(results))],
    [RESULTS, json(results)],
    [CHART, speedChart(results)],
  ] as const) {
    mkdirSync(dirname(pathOf(file)), { recursive: true });
    writeFileSync(pathOf(file), text);
    progress(`wrote ${file}`);
  }
}

function readBaseline(): Baseline | null {
  let text: string;
  try {
    text = readFileSync(pathOf(BASELINE), 'utf8');
  } catch {
    return null;
  }
  return parseBaseline(text, BASELINE);
}

/** Four digits say all there is to say, and keep changes of a saved file readable. */
function json(value: unknown): string {
  const rounded = (_: string, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(4)) : each;
  return `${JSON.stringify(value, rounded, 2)}\n`;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}
