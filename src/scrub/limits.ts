/** Longest output of a tool, in characters. Longer ones are dumps; a lower limit would take away what condensing is about. */
export const MAX_OUTPUT: number = 20_000;
/** Most bytes of one result: a person can still review it. */
export const MAX_SIZE: number = 150_000;
/** Most bytes of all results of a run: a repository can still hold them. */
export const MAX_TOTAL: number = 500_000;
