import { Command } from 'commander';
import { metConditions, parseConditions } from '../../../eval/results/conditions.ts';
import type { RunResult } from '../../../eval/types.ts';
import type { Environment } from '../../../models/providers.ts';
import { jsonText } from '../../screen/json-text.ts';
import { counted, paintFor } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import { exportCommand, importCommand } from './batch.ts';
import { interrupted, problemOf } from './ending.ts';
import { DEFAULT_RUNS, type EvalFlags, withArmFlags, withSharedFlags } from './flags.ts';
import type { Evaluated } from './run.ts';

/** Imports the evaluation only when it runs, because it loads the tokenizer, fixtures and models. */
export function evalCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  const command = withArmFlags(
    withSharedFlags(
      new Command('eval')
        .summary('measure what compaction keeps')
        .description(
          'Measure what compaction keeps: facts by code alone, in seconds and without a key; answers and grades with models.',
        ),
    ),
  )
    .option('--compare-to <folder>', 'earlier results to compare with, e.g. results/LABEL')
    .option(
      '--fail-on <conditions>',
      'exit with 1 if the candidate meets a condition: survival<80%, visible<80%, silent>0, errors>5%, invalid>0, grade<3.5',
    )
    .action(async (flags: EvalFlags) => finish(await runEval(world, flags, env)))
    .addHelpText('after', EXAMPLES);
  command.addCommand(exportCommand(world, env));
  command.addCommand(importCommand(world, finish));
  return command;
}

const EXAMPLES = `
Examples:
  Measure the sessions that come with precis, without a key:
    precis eval
  Let models answer and grade, three times, for at most a dollar:
    precis eval --answer-model anthropic/claude-haiku-4-5 \\
      --judge-model openai/gpt-5.5 --max-cost 1
  You edited a prompt: is the summary better than before?
    precis eval --compressor-model ollama/qwen3:8b \\
      --judge-model openai/gpt-5.5 --compare-to results/before
  Measure five compactions in a row, at a tenth of the size:
    precis eval --passes 5 --target 10%
  Compare your own compactors with precis, as a module and as a command:
    precis eval --arm mine=./compact.js --arm 'other=python3 compact.py'
  Continue after an interruption:
    precis eval --resume --label monday --judge-model openai/gpt-5.5
  Fail in CI if too little is kept:
    precis eval --fail-on 'survival<85%,silent>0'
  Use a batch API, in two rounds (answers, then grades):
    precis eval export --judge-model openai/gpt-5.5 --out round-1
    precis eval import answers.jsonl

Exit codes: 0 success; 1 a --fail-on condition is met; 2 invalid usage or input;
3 too little data: the cost cap was reached, or nothing could be scored.`;

async function runEval(world: World, flags: EvalFlags, env: Environment): Promise<number> {
  const conditions = flags.failOn === undefined ? [] : parseConditions(flags.failOn);
  const [{ armsFrom, evaluate }, { meansByArm }, { reportText }, { readResults }] = await Promise.all([
    import('./run.ts'),
    import('./arm-means.ts'),
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
    world.out(jsonText({ label, path, calls, usd, arms: meansByArm(runs) }));
  } else {
    world.out(reportText(done.runs, paint, world.outScreen.columns));
    if (before !== null) world.out(`\n${await comparisonText(before, done.runs)}`);
  }
  if (flags.json !== true) world.err(`${writtenText(done)}\n`);
  return exitOf(world, problemOf(done, flags), metConditions(conditions, done.runs, 'candidate'));
}

async function writeReports(world: World, { path, runs }: Evaluated): Promise<void> {
  const [{ aggregate }, { evalReportFiles }] = await Promise.all([
    import('../../../eval/results/aggregate.ts'),
    import('../../../report/eval/files.ts'),
  ]);
  for (const [name, text] of Object.entries(evalReportFiles(aggregate(runs), runs)))
    await world.write(`${path}/${name}`, text, { replace: true });
}

/** Writes whether this result is better than an earlier one, or why the two cannot be compared. */
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

function writtenText({ path, calls, usd }: Evaluated): string {
  return `Written to ${path}.${calls === 0 ? '' : ` ${counted(calls, 'call')}, $${usd.toFixed(4)}.`}`;
}

function exitOf(world: World, problem: string | null, failed: readonly string[]): number {
  if (problem !== null) world.err(`precis: ${problem}\n`);
  for (const text of failed) world.err(`precis: failed on ${text}\n`);
  return failed.length > 0 ? 1 : problem !== null ? 3 : 0;
}
