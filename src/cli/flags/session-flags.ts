import type { OpenOptions } from '../../sessions/index.ts';

/** Flags of every command that takes a session. */
export interface SessionFlags {
  readonly from?: string;
  readonly sinceCompaction?: boolean;
  readonly run?: number;
}

export function openOptions({ from, sinceCompaction, run }: SessionFlags): OpenOptions {
  return {
    ...(from === undefined ? {} : { format: from }),
    ...(sinceCompaction === undefined ? {} : { sinceCompaction }),
    ...(run === undefined ? {} : { run }),
  };
}
