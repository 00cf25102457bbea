import { join } from 'node:path';
import { Command, Option } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import type { EvalSummary } from '../../../eval/results/aggregate.ts';
import type { RunResult } from '../../../eval/types.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import type { World } from '../../world.ts';
import { readRuns } from './run-files.ts';

const SHAPES = ['text', 'markdown', 'json', 'junit', 'step-summary'] as const;
type Shape = (typeof SHAPES)[number];

interface ReportFlags {
  readonly out?: string;
  readonly format: Shape;
  readonly json?: boolean;
  readonly force?: boolean;
}

export function reportCommand(world: World, finish: (code: number) => void): Command {
  return new Command('report')
    .description(
      'Make every report of an evaluation anew from the files of its runs, and say where a stored figure differs.',
    )
    .argument('<results>', 'folder of results, or the file of one run')
    .option('-o, --out <folder>', 'write report.md, report.json and junit.xml into this folder')
    .addOption(new Option('--format <shape>', 'what to print').choices(SHAPES).default('text'))
    .option('--json', 'print JSON; the same as `--format json`')
    .option('--force', 'overwrite reports')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: ReportFlags) => finish(await runReport(world, path, flags)));
}

const EXAMPLES = `
Examples:
  The table, and whether the stored report still says the same:
    precis report results/main
  Write the reports again:
    precis report results/main --out results/main --force
  On GitHub:
    precis report results/main --format step-summary >> "$GITHUB_STEP_SUMMARY"

Exit codes: 0 done; 1 a stored figure differs from what the runs give; 2 wrong usage or input.`;

async function runReport(world: World, path: string, flags: ReportFlags): Promise<number> {
  const runs = await readRuns(world, path);
  const { aggregate } = await import('../../../eval/results/aggregate.ts');
  const { evalReportFiles, withoutSecrets } = await import('../../../report/eval/files.ts');
  const summary = withoutSecrets(aggregate(runs));
  const differing = [...(await differingFigures(world, path, summary)), ...(await contradictions(runs))];
  if (flags.out === undefined) world.out(await textOf(flags.json === true ? 'json' : flags.format, summary, runs));
  else {
    const files = Object.entries(evalReportFiles(summary, runs)).map(([name, text]) => ({
      name: join(flags.out ?? '', name),
      text,
    }));
    await world.makeFolder(flags.out);
    for (const { name } of files) await checkOutput(world, name, flags.force === true);
    for (const { name, text } of files) await writeOutput(world, name, text, flags.force === true);
    world.out(`Written to ${flags.out}: ${Object.keys(evalReportFiles(summary, runs)).join(', ')}.\n`);
  }
  if (differing.length === 0) return 0;
  world.err(
    `precis: stored figures differ from what the runs give:\n${differing.map((line) => `  ${line}\n`).join('')}`,
  );
  return 1;
}

/** Where the stored report of the folder says something else. */
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
      `${file}: expected the JSON of a report; delete it to make it anew`,
      { file },
      error,
    );
  }
  if (typeof stored !== 'object' || stored === null || !('totals' in stored))
    return ['report.json is no report of this version; write it anew with `--out`'];
  return differencesOf(stored, summary).map((difference) => `report.json, ${difference}`);
}

async function contradictions(runs: readonly RunResult[]): Promise<readonly string[]> {
  const { recheckRun } = await import('../../../eval/results/recheck.ts');
  return runs.flatMap(recheckRun).slice(0, 20);
}

async function textOf(shape: Shape, summary: EvalSummary, runs: readonly RunResult[]): Promise<string> {
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
