import { type Command, InvalidArgumentError } from 'commander';
import type { EvalTarget } from '../../../eval/run/plan.ts';
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
  readonly target?: EvalTarget;
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

export function target(text: string): EvalTarget {
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1];
  if (share === undefined) return { tokens: wholeNumber(1)(text) };
  const value = Number(share) / 100;
  if (value > 0 && value < 1) return { share: value };
  throw new InvalidArgumentError('Expected a size such as 8000 or 8k, or a share of each session such as 20%.');
}

/** The flags that `eval` and `noise` share: sessions, sizes and models. */
export function withSharedFlags(command: Command): Command {
  return command
    .option(
      '--fixtures <names>',
      'fixtures by name or path, comma-separated (default: all in ./fixtures, else those that come with precis)',
    )
    .option(
      '--target <size>',
      'size to compact to: tokens, or a share such as 20% (default: set by the fixture, else 20%)',
      target,
    )
    .option(
      '--passes <n>',
      'split each session into n parts, then compact and ask after each (default: set by the probes, else 1)',
      wholeNumber(1),
    )
    .option('--compressor-model <name>', 'model that writes the summary (default: none)')
    .option('--focus-topic <topic>', 'topic that gets most of the summary')
    .option('--template <headings>', 'headings of the summary, in order, comma-separated', headings)
    .option(
      '--answer-model <name>',
      'model that answers questions about the compacted session (default: the judge model)',
    )
    .option('--judge-model <name>', 'model that grades the answers (default: the answer model)')
    .option('--max-cost <usd>', 'never spend more than this, including resumed runs', dollars)
    .option(
      '--concurrency <n>',
      'largest number of calls at once; halved when a provider limits the rate (default: 8)',
      wholeNumber(1),
    )
    .option('--timeout <seconds>', 'how long a model may stay silent (default: 120)', wholeNumber(1))
    .option('--label <name>', 'name of the results (default: the current time)')
    .option('--results <folder>', 'folder for results and answers (default: results)')
    .option('--resume', 'continue an interrupted evaluation without paying twice')
    .option('--fresh', 'do not reuse answers from other evaluations')
    .option('--json', 'print a summary as JSON and nothing else');
}

/** The compactors that `eval` and `eval export` measure, and how often. */
export function withArmFlags(command: Command): Command {
  return command
    .option('--runs <n>', 'number of runs (default: 3 with a model or your own arm, else 1)', wholeNumber(1))
    .option(
      '--arms <names>',
      'arms to measure: full, none, truncation, condense-only, candidate, candidate+recall (default: all)',
    )
    .option(
      '--arm <name=what>',
      'your own compactor: NAME=module.js that exports a function from messages to messages, or NAME=command that reads and writes JSON; repeatable',
      addedTo,
    );
}
