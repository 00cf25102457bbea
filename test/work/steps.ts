/**
 * Counts how often blocks of code run, instead of how long they take: the same on an idle machine and on a busy one.
 * Functions are counted that run for the first time after this file was loaded: all that a test of its own file calls.
 * What native code does (an expression that goes back, say) is not seen: for that there is `cpu-time.ts`.
 */
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** How many blocks of the project's own code ran during `work`. */
export async function stepsOf(work: () => Promise<unknown>): Promise<number> {
  // Taking the counts sets them back to zero.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let steps = 0;
  for (const script of result) {
    if (!script.url.includes('/src/')) continue;
    for (const { ranges } of script.functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}
