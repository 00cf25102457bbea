/** A thread that plays the loops it is given, one at a time. */
import { parentPort } from 'node:worker_threads';
import { runLoop } from './loop.ts';
import type { LoopSpec } from './loop-spec.ts';

export interface LoopJob {
  readonly spec: LoopSpec;
  readonly seed: number;
}

parentPort?.on('message', ({ spec, seed }: LoopJob) => {
  void runLoop(spec, seed).then((result) => parentPort?.postMessage(result));
});
