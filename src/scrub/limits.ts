/** Longest tool output, in characters. Longer outputs are dumps; a lower limit would remove text that condensing is tested on. */
export const MAX_OUTPUT: number = 20_000;
/** Most bytes of one result: small enough for a person to review. */
export const MAX_SIZE: number = 150_000;
/** Most bytes of all results of a run: small enough for a repository. */
export const MAX_TOTAL: number = 500_000;
