import { median, quantile } from './median.ts';

export interface Clock {
  now(): number;
}

export interface SampleOptions {
  readonly run: () => unknown;
  /** Done before every run, and not timed. */
  readonly before?: () => unknown;
  readonly yardstick: () => unknown;
  readonly clock: Clock;
  /** Rounds go on until so much time has passed. */
  readonly budgetMs: number;
  readonly leastRounds: number;
  readonly mostRounds: number;
  /** Runs of one sample, when they are short. @default 64 */
  readonly mostRuns?: number;
  /** Runs before the first that counts. @default 100 */
  readonly mostWarmUps?: number;
}

export interface Sampled {
  readonly ms: number;
  readonly yardsticks: number;
  readonly sameByTheSame: number;
  readonly samples: number;
}

/** A sample shorter than this is mostly the grain of the clock, so runs are taken together. */
const LEAST_SAMPLE_MS = 4;
const FASTER = 0.25;

/**
 * Times a piece of work in rounds: group A, yardstick, group B, the order of the groups swapped every round. Both groups run the same code,
 * so what they differ by is noise; what slows the machine down for a while slows all three.
 */
export async function sample(options: SampleOptions): Promise<Sampled> {
  const { clock, budgetMs, leastRounds, mostRounds, mostRuns = 64 } = options;
  const first = await warmUp(options);
  const runs = Math.min(mostRuns, Math.max(1, Math.ceil(LEAST_SAMPLE_MS / Math.max(first, 0.01))));
  const groups = { a: [] as number[], b: [] as number[] };
  const yardsticks: number[] = [];
  const started = clock.now();
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && clock.now() - started > budgetMs) break;
    const swapped = round % 2 === 1;
    const one = await timeOf(runs, options);
    const yard = yardstickTime(options);
    const other = await timeOf(runs, options);
    groups.a.push(swapped ? other : one);
    groups.b.push(swapped ? one : other);
    yardsticks.push(yard);
  }
  const all = [...groups.a, ...groups.b];
  return {
    ms: median(all),
    // Other processes make some samples slow and none fast, so what is compared between runs is the faster part of them.
    yardsticks: quantile(all, FASTER) / quantile(yardsticks, FASTER),
    sameByTheSame: median(groups.a) / median(groups.b),
    samples: all.length,
  };
}

/** Runs until the code is compiled, or a third of the budget is spent; gives the time of the last run. */
async function warmUp(options: SampleOptions): Promise<number> {
  const { clock, budgetMs, mostWarmUps = 100 } = options;
  const started = clock.now();
  let last = await timeOf(1, options);
  for (let n = 1; n < mostWarmUps; n++) {
    if (n > 1 && clock.now() - started > budgetMs / 3) break;
    last = await timeOf(1, options);
  }
  return last;
}

/** Mean time of so many runs. What is done before a run is left out, at the cost of reading the clock more often. */
async function timeOf(runs: number, { run, before, clock }: SampleOptions): Promise<number> {
  let total = 0;
  const atOnce = before === undefined ? runs : 1;
  for (let n = 0; n < runs; n += atOnce) {
    await before?.();
    const started = clock.now();
    for (let each = 0; each < atOnce; each++) {
      const result = run();
      // Waiting for what is there already would cost more than the shortest workloads.
      if (result instanceof Promise) await result;
    }
    total += clock.now() - started;
  }
  return total / runs;
}

/** The middle of three, since one pause of the collector would move every ratio of the round. */
function yardstickTime({ yardstick, clock }: SampleOptions): number {
  const times = Array.from({ length: 3 }, () => {
    const started = clock.now();
    yardstick();
    return clock.now() - started;
  });
  return median(times);
}
