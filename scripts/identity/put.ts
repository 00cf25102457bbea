/** Takes one output under a name that begins with what it is; `text` is written for people, everything else is data. */
export type Put = (name: string, value: unknown) => void;

/** Imports a file of the build that is looked at. */
export type Load = (path: string) => Promise<Any>;

// biome-ignore lint/suspicious/noExplicitAny: the script runs against builds whose types it does not know
export type Any = any;
