import { basename, join } from 'node:path';
import { Command, Option } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import type { EvalSummary } from '../../../eval/results/aggregate.ts';
import type { RunResult } from '../../../eval/types.ts';
import { checkOutput, type OverwriteFlags, writeOutput } from '../../disk/output-file.ts';
import type { World } from '../../world.ts';
import { readRuns } from './run-files.ts';

const SHAPES = ['text', 'markdown', 'json', 'junit', 'step-summary'] as const;
type Shape = (typeof SHAPES)[number];

interface ReportFlags extends OverwriteFlags {
  readonly out?: string;
  readonly format: Shape;
  readonly json?: boolean;
}

export function reportCommand(world: World, finish: (code: number) => void): Command {
  return new Command('report')
    .summary('rebuild the reports of an evaluation from its runs')
    .description('Rebuild the reports of an evaluation from its runs, and list stored figures that differ.')
    .argument('<results>', 'folder of results, or the file of one run')
    .option('-o, --out <folder>', 'write report.md, report.json and junit.xml into this folder')
    .addOption(new Option('--format <shape>', 'what to print').choices(SHAPES).default('text'))
    .option('--json', 'print JSON, like `--format json`')
    .option('--force', 'overwrite reports')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: ReportFlags) => finish(await runReport(world, path, flags)));
}

const EXAMPLES = `
Examples:
  Print the table, and check the stored report against the runs:
    precis report results/main
  Write the reports again:
    precis report results/main --out results/main --force
  Add a summary to a GitHub Actions job:
    precis report results/main --format step-summary >> "$GITHUB_STEP_SUMMARY"

Exit codes: 0 success; 1 a stored figure differs from the runs; 2 invalid usage
or input.`;

async function runReport(world: World, path: string, flags: ReportFlags): Promise<number> {
  const runs = await readRuns(world, path);
  const { aggregate } = await import('../../../eval/results/aggregate.ts');
  const { evalReportFiles, withoutSecrets } = await import('../../../report/eval/files.ts');
  const summary = withoutSecrets(aggregate(runs));
  const differing = [...(await differingFigures(world, path, summary)), ...(await contradictions(runs))];
  if (flags.out === undefined) world.out(await reportIn(flags.json === true ? 'json' : flags.format, summary, runs));
  else {
    const folder = flags.out;
    const files = Object.entries(evalReportFiles(summary, runs)).map(([name, text]) => ({
      path: join(folder, name),
      text,
    }));
    await world.makeFolder(folder);
    for (const { path: place } of files) await checkOutput(world, place, flags);
    for (const file of files) await writeOutput(world, file, flags);
    world.out(`Written to ${folder}: ${files.map((file) => basename(file.path)).join(', ')}.\n`);
  }
  if (differing.length === 0) return 0;
  world.err(`precis: stored figures differ from the runs:\n${differing.map((line) => `  ${line}\n`).join('')}`);
  return 1;
}

/** Lists where the stored report of the folder differs. */
async function differingFigures(world: World, path: string, summary: EvalSummary): Promise<readonly string[]> {
  const file = join(path, 'report.json');
  if ((await world.kindOf(path)) !== 'directory' || (await world.kindOf(file)) !== 'file') return [];
  const { differencesOf } = await import('../../../eval/results/recheck.ts');
  let stored: unknown;
  try {
    stored = JSON.parse(await world.read(file));
  } catch (error) {
    throw new PrecisError(
      'bad-input',
      `${file}: expected the JSON of a report; delete the file to rebuild it`,
      { file },
      error,
    );
  }
  if (typeof stored !== 'object' || stored === null || !('totals' in stored))
    return ['report.json is not a report of this version; rebuild it with `--out`'];
  return differencesOf(stored, summary).map((difference) => `report.json, ${difference}`);
}

async function contradictions(runs: readonly RunResult[]): Promise<readonly string[]> {
  const { recheckRun } = await import('../../../eval/results/recheck.ts');
  return runs.flatMap(recheckRun).slice(0, 20);
}

async function reportIn(shape: Shape, summary: EvalSummary, runs: readonly RunResult[]): Promise<string> {
  const { evalReportFiles } = await import('../../../report/eval/files.ts');
  switch (shape) {
    case 'text':
      return (await import('../../../report/eval/text.ts')).evalText(summary);
    case 'markdown':
      return evalReportFiles(summary, runs)['report.md'];
    case 'json':
      return evalReportFiles(summary, runs)['report.json'];
    case 'junit':
      return evalReportFiles(summary, runs)['junit.xml'];
    case 'step-summary':
      return (await import('../../../report/eval/step-summary.ts')).evalStepSummary(summary);
  }
}
