import { Command } from 'commander';
import type { Environment } from '../../../models/providers.ts';
import { wholeNumber } from '../../flags/parsers.ts';
import { jsonText } from '../../screen/json-text.ts';
import type { World } from '../../world.ts';
import { interrupted, problemOf } from './ending.ts';
import { type EvalFlags, withSharedFlags } from './flags.ts';

/** Enough to estimate a standard deviation to within about a quarter of its value. */
const DEFAULT_RUNS = 10;

export function noiseCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  return withSharedFlags(
    new Command('noise')
      .summary('measure how much evaluation figures vary by chance')
      .description(
        'Evaluate the same candidate several times and measure how much its figures vary by chance. A change counts only if it is larger.',
      ),
  )
    .option('--runs <n>', 'number of runs (default: 10)', wholeNumber(2))
    .action(async (flags: EvalFlags) => finish(await runNoise(world, flags, env)))
    .addHelpText('after', EXAMPLES);
}

const EXAMPLES = `
Examples:
  precis noise --compressor-model ollama/qwen3:8b \\
    --judge-model openai/gpt-5.5 --max-cost 5
  precis noise --fixtures rate-limiter --runs 5 --judge-model openai/gpt-5.5

Each run compacts, asks and grades again. Code alone gives the same figures
every time.`;

async function runNoise(world: World, flags: EvalFlags, env: Environment): Promise<number> {
  const [{ evaluate }, { noise }, { noiseText }] = await Promise.all([
    import('./run.ts'),
    import('../../../eval/compare/noise.ts'),
    import('../../../report/eval/noise-text.ts'),
  ]);
  const done = await evaluate({
    world,
    flags: { ...flags, runs: flags.runs ?? DEFAULT_RUNS },
    env,
    defaultRuns: DEFAULT_RUNS,
    arms: ['candidate'],
  });
  if (done.isInterrupted) return interrupted(world, done);
  const report = noise(done.runs);
  world.out(flags.json === true ? jsonText(report) : noiseText(report));
  if (flags.judgeModel === undefined && flags.answerModel === undefined && flags.compressorModel === undefined)
    world.err('note: no model was asked, and code alone gives the same figures every time\n');
  const problem = problemOf(done, flags);
  if (problem !== null) world.err(`precis: ${problem}\n`);
  return problem === null ? 0 : 3;
}
