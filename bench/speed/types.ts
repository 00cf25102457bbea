/** What a run of the speed suite found, as plain data: what `--json` writes, and what a report is made of. */
export interface SpeedResults {
  readonly version: 1;
  /** When the run began, ISO 8601. */
  readonly date: string;
  /** The code that was measured, as `measuredCommit()` names it. */
  readonly commit: string | null;
  readonly node: string;
  readonly cpu: { readonly model: string; readonly cores: number };
  /** True when the largest sizes were left out. */
  readonly quick: boolean;
  readonly noise: Noise;
  readonly rows: readonly SpeedRow[];
  readonly exponents: readonly Exponent[];
  /** Compactions of a conversation with one line of a megabyte in it. */
  readonly lines: readonly LineRow[];
}

/** One workload at one size. Workload and size together name a row in all runs. */
export interface SpeedRow {
  readonly workload: string;
  /** The size that was asked for, in tokens. */
  readonly size: number;
  /** The size it came to. */
  readonly tokens: number;
  /** Median time of one operation: of the processor, in the thread that does it. */
  readonly ms: number;
  /**
   * Time of the operation by that of the yardstick measured next to it, each taken from the faster quarter of its samples: what can be
   * compared between machines and runs.
   */
  readonly yardsticks: number;
  /** Most memory held during the first operation of the process, less what was held before it, in megabytes. */
  readonly peakMb: number;
  /** Median time of group A by that of group B, which run the same code: 1 without noise. */
  readonly sameByTheSame: number;
  readonly samples: number;
}

export interface LineRow {
  readonly what: string;
  readonly ms: number;
  readonly yardsticks: number;
  readonly sameByTheSame: number;
}

/** How far two measurements of the same code are apart, over all rows: 0.02 is 2 %. */
export interface Noise {
  readonly median: number;
  readonly largest: number;
  /** The row with the largest. */
  readonly where: string;
}

/** How time or memory grows with the history: tokens to the power of `slope`. */
export interface Exponent {
  readonly workload: string;
  readonly of: 'time' | 'memory';
  /** Null when there were too few sizes to say. */
  readonly slope: number | null;
  readonly words: string;
}
