import { Command } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import type { World } from '../../world.ts';
import { readRuns } from './run-files.ts';

interface CalibrateFlags {
  readonly arm?: string;
  readonly json?: boolean;
}

export function calibrateCommand(world: World, finish: (code: number) => void): Command {
  return new Command('calibrate')
    .description(
      'Compare what the judge of an evaluation passed with what people passed, and say whether it can be trusted.',
    )
    .argument('<labels>', 'JSON or CSV with what people say of single answers')
    .argument('<results>', 'folder of results that were judged, or the file of one run')
    .option('--arm <name>', 'arm whose score is corrected (default: the candidate)')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (labels: string, path: string, flags: CalibrateFlags) =>
      finish(await runCalibrate(world, { labels, path }, flags)),
    );
}

const EXAMPLES = `
Examples:
  precis calibrate labels.csv results/main
  precis calibrate labels.json results/main --json

labels.csv:
  fixture,arm,pass,run,probe,correct,sample
  rate-limiter,candidate,1,1,p3,yes,random
labels.json: {"labels": [{"fixture": "rate-limiter", "probe": "p3", "correct": true, "sample": "positive"}]}

Arm is candidate, pass and run are 1 and sample is random unless they are said. At least 50 answers picked at
random and 50 picked from those that the judge passed (sample: positive) are needed.

Exit codes: 0 the judge can be trusted; 1 it cannot, or not yet; 2 wrong usage or input.`;

async function runCalibrate(
  world: World,
  { labels, path }: { readonly labels: string; readonly path: string },
  flags: CalibrateFlags,
): Promise<number> {
  if ((await world.kindOf(labels)) !== 'file')
    throw new PrecisError('bad-input', `${labels}: expected a file with labels, but there is none`);
  const { parseLabels } = await import('../../../eval/calibrate/labels.ts');
  const { calibrate } = await import('../../../eval/calibrate/calibrate.ts');
  const given = parseLabels(await world.read(labels), labels);
  const runs = await readRuns(world, path);
  const result = calibrate(given, runs, flags.arm === undefined ? {} : { arm: flags.arm });
  const { calibrateText } = await import('../../../report/eval/calibrate-text.ts');
  world.out(flags.json === true ? `${JSON.stringify(result, null, 2)}\n` : calibrateText(result));
  return result.reasons.length === 0 ? 0 : 1;
}
