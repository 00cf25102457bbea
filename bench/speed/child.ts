/**
 * A process of its own for one workload at one size, so that none inherits the garbage, the compiled code or the caches of another:
 * `node --expose-gc child.ts ORDER`, with an order as JSON. Prints what it found as JSON.
 */
import { cpuClock } from './clock.ts';
import { longLines } from './lines.ts';
import { watchMemory } from './memory.ts';
import type { Order, SizedOrder } from './order.ts';
import { sample } from './sample.ts';
import type { SpeedRow } from './types.ts';
import { workloads } from './workloads/index.ts';
import { warmYardstick } from './yardstick.ts';

/** A history that grows under the measurement is given few rounds of few runs. */
const GROWING = { mostRuns: 2, mostWarmUps: 8, leastRounds: 16, mostRounds: 24 };
const STANDING = { leastRounds: 3, mostRounds: 40 };

async function rowOf({ workload: name, budgetMs, ...given }: SizedOrder): Promise<SpeedRow> {
  const workload = workloads.find((each) => each.name === name);
  if (workload === undefined) throw new Error(`There is no workload ${name}`);
  const ready = await workload.prepare(given);
  const { tokens, operations = 1, grows = false } = ready;
  await ready.before?.();
  const peak = await watchMemory();
  await ready.run();
  const peakMb = peak() / 1_048_576;
  const yardstick = warmYardstick();
  const times = await sample({ ...ready, yardstick, clock: cpuClock, budgetMs, ...(grows ? GROWING : STANDING) });
  return {
    workload: name,
    size: given.size,
    tokens,
    ms: times.ms / operations,
    yardsticks: times.yardsticks / operations,
    peakMb,
    sameByTheSame: times.sameByTheSame,
    samples: times.samples,
  };
}

const order = JSON.parse(process.argv[2] ?? '') as Order;
const found = order.type === 'lines' ? await longLines(order.budgetMs) : await rowOf(order);
process.stdout.write(JSON.stringify(found));
