import { Worker } from 'node:worker_threads';
import type { ReplaySettings, SessionOutcome } from './job.ts';

export interface PoolOptions {
  readonly workers: number;
  readonly settings: ReplaySettings;
  readonly onDone: (done: number, path: string) => void;
  /** Called before a signal ends the process. */
  readonly onInterrupt: () => void;
}

/**
 * Replays sessions on threads. Chance decides which thread takes which session, but not the result: each session is replayed on
 * its own, and its outcome has the index of its path.
 */
export function replayOnWorkers(paths: readonly string[], options: PoolOptions): Promise<readonly SessionOutcome[]> {
  const { settings, onDone } = options;
  const outcomes: SessionOutcome[] = [];
  const threads = new Set<Worker>();
  let next = 0;
  let done = 0;
  const stop = (): void => {
    for (const thread of threads) void thread.terminate();
  };
  const interrupted = (signal: NodeJS.Signals): void => {
    release();
    stop();
    options.onInterrupt();
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    for (const signal of INTERRUPTS) process.off(signal, interrupted);
  };
  for (const signal of INTERRUPTS) process.on(signal, interrupted);

  return new Promise<readonly SessionOutcome[]>((resolve) => {
    const settle = (index: number, outcome: SessionOutcome): void => {
      outcomes[index] = outcome;
      done += 1;
      onDone(done, paths[index] ?? '');
      if (done < paths.length) return;
      release();
      stop();
      resolve(outcomes);
    };
    const start = (): void => {
      const thread = new Worker(WORKER, { workerData: settings });
      threads.add(thread);
      let current: number | null = null;
      const give = (): void => {
        current = next < paths.length ? next : null;
        next += 1;
        if (current !== null) thread.postMessage({ index: current, path: paths[current] });
      };
      thread.on('message', ({ index, outcome }: { readonly index: number; readonly outcome: SessionOutcome }) => {
        give();
        settle(index, outcome);
      });
      // A thread that dies, for instance out of memory, loses its session; another takes its place.
      thread.on('error', (error: unknown) => {
        threads.delete(thread);
        const lost = current;
        if (lost === null) return;
        if (next < paths.length) start();
        const text = error instanceof Error ? error.message : String(error);
        settle(lost, { type: 'failed', error: text, isSession: true });
      });
      give();
    };
    for (let count = 0; count < Math.min(options.workers, paths.length); count++) start();
  });
}

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** In a clone the sources run as they are; in the package they are JavaScript. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
