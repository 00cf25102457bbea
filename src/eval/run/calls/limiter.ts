/** Limits the number of calls that run at a time. */
export interface Limiter {
  /** Number of calls that may run now. */
  readonly width: number;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Halves the limit, after a provider complained about the load. */
  slower(): void;
  /** Counts a successful call. After several of them one more call may run. */
  faster(): void;
}

/** Successful calls before one more may run at a time. */
const GOOD_CALLS = 8;

export function createLimiter(most: number): Limiter {
  let width = Math.max(1, most);
  let running = 0;
  let good = 0;
  const waiting: (() => void)[] = [];
  const next = (): void => {
    while (running < width) {
      const start = waiting.shift();
      if (start === undefined) return;
      running++;
      start();
    }
  };
  return {
    get width() {
      return width;
    },
    async run(work) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        next();
      });
      try {
        return await work();
      } finally {
        running--;
        next();
      }
    },
    slower() {
      width = Math.max(1, width >> 1);
      good = 0;
    },
    faster() {
      good++;
      if (good < GOOD_CALLS || width >= most) return;
      good = 0;
      width++;
      next();
    },
  };
}
