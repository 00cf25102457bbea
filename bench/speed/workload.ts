/** Something the engine does, at sizes of a history. */
export interface Workload {
  readonly name: string;
  /** What one operation is, in a few words. */
  readonly what: string;
  /** Makes all that an operation needs and that is not timed. */
  prepare(given: Given): Ready | Promise<Ready>;
}

export interface Given {
  /** The size that was asked for, in tokens. */
  readonly size: number;
  /** The session of that size. */
  readonly session: string;
  /** For files of the workload, removed after the run. */
  readonly folder: string;
}

export interface Ready {
  /** Size of the history in tokens. */
  readonly tokens: number;
  run(): unknown;
  /** Done before every run, and not timed. */
  before?(): unknown;
  /** Operations in one run. @default 1 */
  readonly operations?: number;
  /** True when every run adds to the history: then there are few, or a short history would not stay one. @default false */
  readonly grows?: boolean;
}
