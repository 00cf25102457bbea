import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { OverwriteFlags } from '../../disk/output-file.ts';
import { headings, wholeNumber } from '../../flags/parsers.ts';
import { type SessionFlags, withSessionFlags } from '../../flags/session-flags.ts';

export interface CompactFlags extends SessionFlags, OverwriteFlags {
  readonly for?: string;
  readonly window?: number;
  readonly target?: number;
  readonly tail?: number;
  readonly passes: number;
  readonly stripReasoning?: boolean;
  readonly strict?: boolean;
  readonly model?: string;
  readonly fallback?: string;
  readonly focus?: string;
  readonly template?: readonly string[];
  readonly config?: string;
  readonly store?: string;
  readonly context?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Flags win over the configuration. */
export function withConfig(flags: CompactFlags, { target, window, template }: Config): CompactFlags {
  return {
    ...flags,
    ...(flags.template === undefined && template !== undefined ? { template } : {}),
    ...(flags.target === undefined && target !== undefined ? { target } : {}),
    ...(flags.window === undefined && flags.for === undefined && window !== undefined ? { window } : {}),
  };
}

export function withCompactFlags(command: Command): Command {
  return [withResultFlags, withSessionFlags, withWindowFlags, withSummaryFlags, withStoreFlags]
    .reduce((each, withFlags) => withFlags(each), command)
    .option('--strip-reasoning', 'fold a turn under way that holds signed reasoning, before the window forces it')
    .option(
      '--strict',
      'write for servers that want roles in turns, ids of at most 40 characters and plain tool names',
    );
}

function withResultFlags(command: Command): Command {
  return command
    .option(
      '--target <tokens>',
      'largest size of the request, tools included, e.g. 10000 or 10k (default: 35 % of the compaction threshold)',
      wholeNumber(1),
    )
    .option(
      '-o, --out <file>',
      'write the result here, in the format of the session (plain messages for a log); `-` is standard output',
    )
    .option('--force', 'overwrite the output file')
    .option('--json', 'print the receipt as JSON and nothing else');
}

function withWindowFlags(command: Command): Command {
  return command
    .option(
      '--for <models>',
      'models the session runs on, primary first, e.g. claude-sonnet-5,gpt-5.5; the smallest window counts',
    )
    .option(
      '--window <tokens>',
      'context window to plan for: messages, tools and the answer that the request reserves (default: that of `--for`, else 128,000)',
      wholeNumber(16),
    )
    .option(
      '--tail <tokens>',
      'size of the newest messages to keep verbatim (default: a sixth of the target beyond 4,000, at most 25,000)',
      wholeNumber(0),
    )
    .option(
      '--passes <n>',
      'split the session into n parts and compact after each, as in a live session',
      wholeNumber(1),
      1,
    );
}

function withSummaryFlags(command: Command): Command {
  return command
    .option(
      '--model <name>',
      'model that also writes a summary, e.g. anthropic/claude-haiku-4-5 or ollama/llama3.3; see `precis models`',
    )
    .option('--fallback <names>', 'models to ask if that one fails, in order, comma-separated')
    .option('--focus <topic>', 'topic that gets most of the summary')
    .option('--template <headings>', 'headings of the summary, in order, comma-separated', headings)
    .option('--config <file>', 'configuration file (default: precis.config.json, if it exists)');
}

function withStoreFlags(command: Command): Command {
  return command
    .option(
      '--store <file>',
      'keep the history in this file, to search it or undo the compaction; see `precis history`',
    )
    .option('--context <id>', 'id of the session in the store (default: its file name)');
}
