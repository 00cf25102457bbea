import { cpus } from 'node:os';
import { join } from 'node:path';
import { measuredCommit } from '../commit.ts';
import { exponentsOf } from './exponent.ts';
import { LINES, QUICK_SIZES, SIZES } from './names.ts';
import { noiseOf } from './noise.ts';
import type { Order } from './order.ts';
import type { Processes } from './processes.ts';
import type { LineRow, SpeedResults, SpeedRow } from './types.ts';

export interface MeasureInput {
  /** Names of workloads, in order; may hold that of the long lines. */
  readonly names: readonly string[];
  readonly quick: boolean;
  /** For files of the run. */
  readonly folder: string;
  readonly processes: Processes;
  readonly progress: (line: string) => void;
  /** True when a row is too slow to be believed at once: it is then measured again, in another process, and the faster of both counts. */
  readonly doubtful?: (row: SpeedRow) => boolean;
}

/** Time that the rounds of one row may take; at least three are done all the same. */
const BUDGET_MS = 1_000;
const QUICK_BUDGET_MS = 150;

/** Runs the workloads, one process after another, never two at once. */
export async function measureSpeed(input: MeasureInput): Promise<SpeedResults> {
  const { names, quick, progress } = input;
  const date = new Date().toISOString();
  const commit = measuredCommit();
  const sized = names.filter((name) => name !== LINES);
  const rows: SpeedRow[] = [];
  const budgetMs = quick ? QUICK_BUDGET_MS : BUDGET_MS;
  for (const size of sized.length === 0 ? [] : quick ? QUICK_SIZES : SIZES) {
    const session = join(input.folder, `session-${size}.json`);
    await input.processes.run('session-file.ts', [String(size), session]);
    for (const workload of sized) {
      const order: Order = { type: 'sized', workload, size, session, folder: input.folder, budgetMs };
      const row = await surely(order, input);
      progress(`${workload} at ${size.toLocaleString('en-US')} tokens: ${row.ms.toPrecision(3)} ms`);
      rows.push(row);
    }
  }
  const lines = names.includes(LINES) ? await ordered<readonly LineRow[]>({ type: 'lines', budgetMs }, input) : [];
  if (lines.length > 0) progress('lines of one megabyte');
  const inOrder = names.flatMap((name) => rows.filter(({ workload }) => workload === name));
  return {
    version: 1,
    date,
    commit,
    node: process.versions.node,
    cpu: { model: cpus()[0]?.model.trim() ?? 'unknown', cores: cpus().length },
    quick,
    noise: noiseOf(inOrder),
    rows: inOrder,
    exponents: exponentsOf(inOrder),
    lines,
  };
}

const AGAIN = 2;

async function surely(order: Order, input: MeasureInput): Promise<SpeedRow> {
  let best = await ordered<SpeedRow>(order, input);
  for (let n = 0; n < AGAIN && input.doubtful?.(best) === true; n++) {
    input.progress(`${best.workload} at ${best.size.toLocaleString('en-US')} tokens was slow; measuring it again`);
    const next = await ordered<SpeedRow>(order, input);
    if (next.yardsticks < best.yardsticks) best = next;
  }
  return best;
}

async function ordered<Found>(order: Order, { processes }: MeasureInput): Promise<Found> {
  return JSON.parse(await processes.run('child.ts', [JSON.stringify(order)])) as Found;
}
