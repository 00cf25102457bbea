/** What a loop said, and what its compactions freed. */
export interface Bounded {
  /** Tokens added since the first compaction. */
  readonly said: number;
  /** Threshold minus size, right after each compaction. */
  readonly free: readonly number[];
  /** Tokens of the window that system prompt, tools, pins and reserved output leave. */
  readonly room: number;
}

/** Some compactions free less than the median. */
const SLACK = 1.25;
/** A compaction that frees less than this share of the room is a fault, and must not excuse the next one. */
const LEAST_SHARE = 1 / 4;

/** The most compactions that a loop may need. */
export function compactionBound({ said, free, room }: Bounded): number {
  const freed = Math.max(medianOf(free), room * LEAST_SHARE, 1);
  return 1 + Math.ceil((SLACK * said) / freed);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
