import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { inLanes } from '../peers/lanes.ts';
import type { LoopResult } from './loop-result.ts';
import type { LoopSpec } from './loop-spec.ts';
import type { LoopJob } from './worker.ts';

/** Plays all loops, as many at a time as there are cores, and gives the results in the order of the loops. */
export async function playAll(
  specs: readonly LoopSpec[],
  seed: number,
  progress: (line: string) => void,
): Promise<readonly LoopResult[]> {
  const lanes = Math.min(specs.length, availableParallelism());
  const free = Array.from({ length: lanes }, () => new Worker(new URL('./worker.ts', import.meta.url)));
  const all = [...free];
  let done = 0;
  const play = async (spec: LoopSpec): Promise<LoopResult> => {
    const worker = free.pop() as Worker;
    const job: LoopJob = { spec, seed };
    worker.postMessage(job);
    const [result] = (await once(worker, 'message')) as [LoopResult];
    free.push(worker);
    done++;
    progress(`${done} of ${specs.length}: ${spec.name}`);
    return result;
  };
  // The longest first, so that no lane ends long after the others.
  const order = specs.toSorted((left, right) => right.window * right.turns - left.window * left.turns);
  try {
    const results = await inLanes(order, lanes, play);
    return specs.map((spec) => results[order.indexOf(spec)] as LoopResult);
  } finally {
    await Promise.all(all.map((worker) => worker.terminate()));
  }
}
