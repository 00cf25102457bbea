/** What can be asked for by name. Kept apart from the workloads so that the parent process stays small: a child's memory begins with it. */
export const WORKLOADS: readonly string[] = [
  'count',
  'decode',
  'encode',
  'plan',
  'condense',
  'fold',
  'fold-model',
  'context-append',
  'context-prepare',
  'search-index',
  'search-ask',
  'store-commit',
  'store-load',
  'store-search',
];

/** Compactions of conversations with one line of a megabyte; has no sizes. */
export const LINES = 'lines';

export const SIZES: readonly number[] = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000];
/** What `--quick` leaves: enough for a line through three points. */
export const QUICK_SIZES: readonly number[] = [10_000, 100_000, 300_000];
