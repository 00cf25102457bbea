import type { Command } from 'commander';
import { formats } from '../../../formats/index.ts';
import type { Config } from '../../config/config.ts';
import type { OverwriteFlags } from '../../disk/output-file.ts';
import { headings, wholeNumber } from '../../flags/parsers.ts';
import type { SessionFlags } from '../../flags/session-flags.ts';

export interface CompactFlags extends SessionFlags, OverwriteFlags {
  readonly for?: string;
  readonly window?: number;
  readonly target?: number;
  readonly tail?: number;
  readonly passes: number;
  readonly stripReasoning?: boolean;
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
    .option('--strip-reasoning', 'remove signed reasoning of the turn going on, instead of refusing to edit before it');
}

function withResultFlags(command: Command): Command {
  return command
    .option(
      '--target <tokens>',
      'size the result must not exceed, e.g. 10000 or 10k (default: 35 % of the threshold of the window)',
      wholeNumber(1),
    )
    .option(
      '-o, --out <file>',
      'write the result here, in the format that was read (of a log: as plain messages); `-` is standard output',
    )
    .option('--force', 'overwrite the output file')
    .option('--json', 'print the receipt as JSON on standard output, and nothing else');
}

function withSessionFlags(command: Command): Command {
  return command
    .option(
      '--from <format>',
      `format of the session: ${formats.map(({ id }) => id).join(', ')} (default: found by content)`,
    )
    .option(
      '--since-compaction',
      'of a log, take what its model saw after its last compaction (default: all that was said)',
    )
    .option('--run <n>', 'of a file with several runs, take this one (default: the first)', wholeNumber(1));
}

function withWindowFlags(command: Command): Command {
  return command
    .option(
      '--for <models>',
      'models the session runs on, primary first, e.g. claude-sonnet-5,gpt-5.5; the smallest window counts',
    )
    .option(
      '--window <tokens>',
      'context window to plan for (default: that of the models, else 128,000)',
      wholeNumber(16),
    )
    .option(
      '--tail <tokens>',
      'newest messages to keep word for word (default: a sixth of the target, at most 25,000)',
      wholeNumber(0),
    )
    .option(
      '--passes <n>',
      'cut the session into n parts and compact after each, as a living session would',
      wholeNumber(1),
      1,
    );
}

function withSummaryFlags(command: Command): Command {
  return command
    .option(
      '--model <name>',
      'model that writes a summary besides, e.g. anthropic/claude-haiku-4-5 or ollama/llama3.3; see `precis models`',
    )
    .option('--fallback <names>', 'models to ask when it fails, in order, separated by commas')
    .option('--focus <topic>', 'topic that the summary gives most of its space to')
    .option('--template <headings>', 'headings the summary is written under, in order, separated by commas', headings)
    .option('--config <file>', 'configuration to read (default: precis.config.json, if there is one)');
}

function withStoreFlags(command: Command): Command {
  return command
    .option(
      '--store <file>',
      'keep the history in this file, so that it can be searched and the compaction undone; see `precis history`',
    )
    .option('--context <id>', 'name of the session in the store (default: the name of the file)');
}
