import type { Command } from 'commander';
import { formats } from '../../formats/index.ts';
import type { OpenOptions } from '../../sessions/index.ts';
import { wholeNumber } from './parsers.ts';

/** Flags of every command that takes a session. */
export interface SessionFlags {
  readonly from?: string;
  readonly sinceCompaction?: boolean;
  readonly run?: number;
}

/** Help for a `<session>` argument. */
export const SESSION_HELP =
  'agent log, JSON array of messages, object with `messages`, or JSONL; `-` reads standard input';

export function withSessionFlags(command: Command): Command {
  return command
    .option('--from <format>', `session format: ${formats.map(({ id }) => id).join(', ')} (default: detected)`)
    .option(
      '--since-compaction',
      'read only what the model saw after the last compaction in the log (default: the whole history)',
    )
    .option('--run <n>', 'which run to read from a file with several (default: the first)', wholeNumber(1));
}

export function openOptions({ from, sinceCompaction, run }: SessionFlags): OpenOptions {
  return {
    ...(from === undefined ? {} : { format: from }),
    ...(sinceCompaction === undefined ? {} : { sinceCompaction }),
    ...(run === undefined ? {} : { run }),
  };
}
