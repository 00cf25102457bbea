import { Command } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import { jsonText } from '../../screen/json-text.ts';
import type { World } from '../../world.ts';
import { readRuns } from './run-files.ts';

interface CalibrateFlags {
  readonly arm?: string;
  readonly json?: boolean;
}

export function calibrateCommand(world: World, finish: (code: number) => void): Command {
  return new Command('calibrate')
    .summary('check the judge of an evaluation against human labels')
    .description('Check the judge of an evaluation against human labels, and say whether you can trust it.')
    .argument('<labels>', 'JSON or CSV with human verdicts on single answers')
    .argument('<results>', 'folder of judged results, or the file of one run')
    .option('--arm <name>', 'arm whose score to correct (default: candidate)')
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
labels.json:
  {"labels": [{"fixture": "rate-limiter", "probe": "p3", "correct": true,
               "sample": "positive"}]}

Defaults: arm candidate, pass 1, run 1, sample random. precis needs labels for
at least 50 answers picked at random (sample: random), and for 50 picked from
those that the judge passed (sample: positive).

Exit codes: 0 you can trust the judge; 1 you cannot, or not yet; 2 invalid usage
or input.`;

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
  world.out(flags.json === true ? jsonText(result) : calibrateText(result));
  return result.reasons.length === 0 ? 0 : 1;
}
