import { type Command, InvalidArgumentError } from 'commander';
import { addedTo, dollars, headings, wholeNumber } from '../../flags/parsers.ts';

/** Runs of an evaluation with models; code alone gives the same result each time. */
export const DEFAULT_RUNS = 3;

/** Flags of every command that evaluates. */
export interface EvalFlags {
  readonly fixtures?: string;
  readonly runs?: number;
  readonly arms?: string;
  readonly arm?: readonly string[];
  readonly passes?: number;
  readonly target?: Target;
  readonly judgeModel?: string;
  readonly answerModel?: string;
  readonly compressorModel?: string;
  readonly label?: string;
  readonly focusTopic?: string;
  readonly template?: readonly string[];
  readonly compareTo?: string;
  readonly maxCost?: number;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly resume?: boolean;
  readonly fresh?: boolean;
  readonly results?: string;
  readonly failOn?: string;
  readonly json?: boolean;
}

/** A size in tokens, or as a share of each session. */
export type Target = { readonly tokens: number } | { readonly share: number };

export function target(text: string): Target {
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1];
  if (share === undefined) return { tokens: wholeNumber(1)(text) };
  const value = Number(share) / 100;
  if (value > 0 && value < 1) return { share: value };
  throw new InvalidArgumentError('Expected a size such as 8000 or 8k, or a share of each session such as 20%.');
}

/** Which sessions, which models, how large: what `eval` and `noise` share. */
export function withSharedFlags(command: Command): Command {
  return command
    .option(
      '--fixtures <names>',
      'fixtures by name or path, separated by commas (default: all in ./fixtures, else those shipped)',
    )
    .option(
      '--target <size>',
      'size to compact to: tokens, or a share such as 20% (default: what the fixture says, else 20%)',
      target,
    )
    .option(
      '--passes <n>',
      'cut each session into n parts, compact after each and ask after each (default: what the probes name, else 1)',
      wholeNumber(1),
    )
    .option('--compressor-model <name>', 'model that writes the summary (default: code alone)')
    .option('--focus-topic <topic>', 'topic that the summary gives most of its space to')
    .option('--template <headings>', 'headings the summary is written under, separated by commas', headings)
    .option('--answer-model <name>', 'model that answers the questions from the compacted state (default: the judge)')
    .option('--judge-model <name>', 'model that grades the answers (default: the answerer)')
    .option('--max-cost <usd>', 'never spend more than this, resumed runs included', dollars)
    .option(
      '--concurrency <n>',
      'calls at a time at most; halved when a provider says it is too much (default: 8)',
      wholeNumber(1),
    )
    .option('--timeout <seconds>', 'longest silence of a model (default: 120)', wholeNumber(1))
    .option('--label <name>', 'name of the results (default: the time)')
    .option('--results <folder>', 'where results and answers are kept (default: results)')
    .option('--resume', 'go on with an evaluation that was interrupted; nothing is paid twice')
    .option('--fresh', 'use no answers of other evaluations')
    .option('--json', 'print a summary as JSON on standard output, and nothing else');
}

/** The compactors that `eval` and `eval export` measure, and how often. */
export function withArmFlags(command: Command): Command {
  return command
    .option('--runs <n>', 'compact, ask and grade so many times (default: 3 with a model, 1 without)', wholeNumber(1))
    .option(
      '--arms <names>',
      'some of full, none, truncation, condense-only, candidate, candidate+recall (default: all)',
    )
    .option(
      '--arm <name=what>',
      'a compactor of your own: NAME=module.js with a function from messages to messages, or NAME=command that reads and writes JSON; may be repeated',
      addedTo,
    );
}
