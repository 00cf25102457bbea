import { Command } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import { metConditions, parseConditions } from '../../../eval/results/conditions.ts';
import type { Missing } from '../../../eval/run/calls/asker.ts';
import { anthropicLine, openaiLine, readBatchLine } from '../../../eval/run/calls/batch.ts';
import type { RunResult } from '../../../eval/types.ts';
import type { Environment } from '../../../models/providers.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import { wholeNumber } from '../../flags.ts';
import { counted, paintFor } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import { addedTo, type EvalFlags, withSharedFlags } from './flags.ts';
import type { Evaluated } from './run.ts';

const DEFAULT_RUNS = 3;

/** The work is loaded only when it is asked for: it brings tokenizer, fixtures and models. */
export function evalCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  const command = withArms(
    withSharedFlags(
      new Command('eval').description(
        'Measure what compaction keeps: facts by code alone, in seconds and without a key; answers and grades with models.',
      ),
    ),
  )
    .option('--compare-to <folder>', 'earlier results to compare with, such as results/LABEL')
    .option(
      '--fail-on <conditions>',
      'exit with 1 when the candidate meets one: survival<80%, visible<80%, silent>0, errors>5%, invalid>0, grade<3.5',
    )
    .action(async (flags: EvalFlags) => finish(await runEval(world, flags, env)))
    .addHelpText('after', EXAMPLES);
  command.addCommand(exportCommand(world, env));
  command.addCommand(importCommand(world, finish));
  return command;
}

function withArms(command: Command): Command {
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

const EXAMPLES = `
Examples:
  What is kept of the shipped sessions, without a key:
    precis eval
  With models that answer and grade, three times, and at most a dollar:
    precis eval --answer-model anthropic/claude-haiku-4-5 --judge-model openai/gpt-5.5 --max-cost 1
  A prompt was edited: is the summary better than before?
    precis eval --compressor-model ollama/qwen3:8b --judge-model openai/gpt-5.5 --compare-to results/before
  After five compactions in a row, at a tenth of the size:
    precis eval --passes 5 --target 10%
  Your own compactor beside ours, as a module or as a command:
    precis eval --arm mine=./compact.js --arm 'other=python3 compact.py'
  Go on after an interruption:
    precis eval --resume --label monday --judge-model openai/gpt-5.5
  In CI:
    precis eval --fail-on 'survival<85%,silent>0'
  Through a batch API, in two rounds (answers, then grades):
    precis eval export --judge-model openai/gpt-5.5 --out round-1
    precis eval import answers.jsonl

Exit codes: 0 done, 1 a condition of --fail-on is met, 2 wrong usage or input,
3 too little was measured: the cost cap was reached, or nothing could be scored.`;

async function runEval(world: World, flags: EvalFlags, env: Environment): Promise<number> {
  const conditions = flags.failOn === undefined ? [] : parseConditions(flags.failOn);
  const [{ armsFrom, evaluate }, report, { readResults }] = await Promise.all([
    import('./run.ts'),
    import('./report.ts'),
    import('./disk.ts'),
  ]);
  const before = flags.compareTo === undefined ? null : await readResults(flags.compareTo);
  const done = await evaluate({ world, flags, env, defaultRuns: DEFAULT_RUNS, arms: armsFrom(flags.arms) });
  if (done.isInterrupted) return interrupted(world, done);
  await writeReports(world, done);
  const paint = paintFor(world.outScreen);
  if (flags.json === true) {
    const { label, path, calls, usd, runs } = done;
    world.out(`${JSON.stringify({ label, path, calls, usd, arms: report.summariesOf(runs) }, null, 2)}\n`);
  } else {
    world.out(report.reportText(done.runs, paint, world.outScreen.columns));
    if (before !== null) world.out(`\n${await comparisonText(before, done.runs)}`);
  }
  return ended(world, done, metConditions(conditions, done.runs, 'candidate'), flags);
}

async function writeReports(world: World, { path, runs }: Evaluated): Promise<void> {
  const [{ aggregate }, { evalReportFiles }] = await Promise.all([
    import('../../../eval/results/aggregate.ts'),
    import('../../../report/eval/files.ts'),
  ]);
  for (const [name, text] of Object.entries(evalReportFiles(aggregate(runs), runs)))
    await world.write(`${path}/${name}`, text, { replace: true });
}

/** Whether this result is better than an earlier one, or why that cannot be said. */
async function comparisonText(before: readonly RunResult[], runs: readonly RunResult[]): Promise<string> {
  const [{ compare }, { compareText }] = await Promise.all([
    import('../../../eval/compare/compare.ts'),
    import('../../../report/eval/compare-text.ts'),
  ]);
  const comparison = compare(before, runs);
  return comparison.type === 'refused'
    ? `Cannot be compared: ${comparison.reasons.join('; ')}\n`
    : compareText(comparison);
}

export function interrupted(world: World, { label, runs }: Evaluated): number {
  world.err(
    `precis: interrupted after ${counted(runs.length, 'whole run')}; the same command with \`--resume --label ${label}\` goes on, and pays nothing twice\n`,
  );
  return 130;
}

function ended(world: World, done: Evaluated, failed: readonly string[], flags: EvalFlags): number {
  if (flags.json !== true) {
    const spent = done.calls === 0 ? '' : ` ${counted(done.calls, 'call')}, $${done.usd.toFixed(4)}.`;
    world.err(`Written to ${done.path}.${spent}\n`);
  }
  const problem = problemOf(done, flags);
  if (problem !== null) world.err(`precis: ${problem}\n`);
  for (const text of failed) world.err(`precis: failed on ${text}\n`);
  return failed.length > 0 ? 1 : problem !== null ? 3 : 0;
}

export function problemOf({ isCapped, label, runs }: Evaluated, { maxCost }: EvalFlags): string | null {
  if (isCapped)
    return `the cost cap of $${maxCost} was reached; questions that were not asked have no score. Go on with a higher \`--max-cost\` and \`--resume --label ${label}\``;
  if (runs.every(({ cells }) => cells.length === 0)) return 'nothing could be scored';
  return allFailed(runs) ? 'no answer could be graded; the results say why' : null;
}

function allFailed(runs: readonly RunResult[]): boolean {
  const judged = runs.flatMap(({ cells }) => cells.flatMap((cell) => cell.judged ?? []));
  return judged.length > 0 && judged.every(({ outcome }) => outcome === 'error');
}

interface ExportFlags extends EvalFlags {
  readonly out: string;
  readonly force?: boolean;
}

function exportCommand(world: World, env: Environment): Command {
  return withArms(
    withSharedFlags(
      new Command('export').description(
        'Write the requests that are still missing as OpenAI-batch and Anthropic-batch JSONL, instead of making them.',
      ),
    ),
  )
    .requiredOption('-o, --out <name>', 'writes NAME.openai.jsonl and NAME.anthropic.jsonl')
    .option('--force', 'overwrite them')
    .action((_flags: unknown, command: Command) => runExport(world, command.optsWithGlobals<ExportFlags>(), env));
}

async function runExport(world: World, flags: ExportFlags, env: Environment): Promise<void> {
  const { armsFrom, evaluate } = await import('./run.ts');
  if (flags.judgeModel === undefined && flags.answerModel === undefined && flags.compressorModel === undefined)
    throw new PrecisError(
      'bad-option',
      'expected `--answer-model` or `--judge-model`: without a model there is nothing to ask',
    );
  const files = [`${flags.out}.openai.jsonl`, `${flags.out}.anthropic.jsonl`] as const;
  for (const file of files) await checkOutput(world, file, flags.force === true);
  const missing = new Map<string, Missing>();
  const defer = (request: Missing): void => void missing.set(request.key, request);
  await evaluate({ world, flags, env, defaultRuns: DEFAULT_RUNS, arms: armsFrom(flags.arms), defer });
  const requests = [...missing.values()];
  if (requests.length === 0) {
    world.out('Nothing is missing: `precis eval` with the same flags asks nobody.\n');
    return;
  }
  const textOf = (line: (request: Missing) => string): string =>
    requests.map((request) => `${line(request)}\n`).join('');
  await writeOutput(world, files[0], textOf(openaiLine), flags.force === true);
  await writeOutput(world, files[1], textOf(anthropicLine), flags.force === true);
  const roles = Object.entries(Object.groupBy(requests, ({ role }) => role)).map(
    ([role, all]) => `${all?.length} ${role}`,
  );
  world.out(
    `${counted(requests.length, 'request')} (${roles.join(', ')}) in ${files[0]} and ${files[1]}.\nSend one of the files, then \`precis eval import RESPONSES.jsonl\`, and export again: what depends on these answers comes next.\n`,
  );
}

interface ImportFlags {
  readonly results?: string;
}

function importCommand(world: World, finish: (code: number) => void): Command {
  return new Command('import')
    .description('Take the responses of a batch into the cache, where `precis eval` finds them.')
    .argument('<file>', 'JSONL of OpenAI or Anthropic, or lines such as {"custom_id": "…", "text": "…"}')
    .option('--results <folder>', 'where results and answers are kept (default: results)')
    .action(async (file: string, _flags: unknown, command: Command) =>
      finish(await runImport(world, file, command.optsWithGlobals<ImportFlags>())),
    );
}

const MOST_COMPLAINTS = 5;

async function runImport(world: World, file: string, { results = 'results' }: ImportFlags): Promise<number> {
  const { diskCache } = await import('./disk.ts');
  const cache = diskCache(`${results}/.cache`);
  let taken = 0;
  const complaints: string[] = [];
  for (const [index, line] of (await world.read(file)).split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readBatchLine(line);
    if (read.type === 'answer') {
      await cache.put(read.key, read.answer);
      taken++;
    } else complaints.push(`line ${index + 1}: ${read.reason}`);
  }
  for (const complaint of complaints.slice(0, MOST_COMPLAINTS)) world.err(`note: ${file}: ${complaint}\n`);
  if (complaints.length > MOST_COMPLAINTS)
    world.err(`note: ${file}: and ${complaints.length - MOST_COMPLAINTS} more\n`);
  if (taken === 0)
    throw new PrecisError('bad-input', `${file}: expected responses of a batch, got none that can be used`);
  world.out(
    `${counted(taken, 'answer')} taken in${complaints.length === 0 ? '' : `, ${complaints.length} left out`}.\n`,
  );
  return 0;
}
