import { Command, Option } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import type { Comparison, ComparisonGate, GateResult } from '../../../eval/compare/compare.ts';
import { checkOutput, type OverwriteFlags, writeOutput } from '../../disk/output-file.ts';
import { fraction, wholeNumber } from '../../flags/parsers.ts';
import { jsonText } from '../../screen/json-text.ts';
import type { World } from '../../world.ts';
import { readRuns } from './run-files.ts';

interface CompareFlags extends OverwriteFlags {
  readonly arm?: string;
  readonly armB?: string;
  readonly margin: number;
  readonly gradeMargin: number;
  readonly allowMismatch?: boolean;
  readonly failOn?: ComparisonGate;
  readonly noise?: string;
  readonly resamples: number;
  readonly seed: number;
  readonly markdown?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

export function compareCommand(world: World, finish: (code: number) => void): Command {
  return new Command('compare')
    .summary('compare two evaluation results')
    .description('Compare two evaluation results: is the second better, worse or the same, and how certain is that?')
    .argument('<run-a>', 'baseline: a folder of results, or the file of one run')
    .argument('<run-b>', 'new result: a folder or a file')
    .option('--arm <name>', 'arm to compare (default: candidate)')
    .option('--arm-b <name>', 'arm of the new result (default: the same arm)')
    .option('--margin <share>', 'largest difference of shares treated as zero', fraction(1), 0.05)
    .option('--grade-margin <grade>', 'largest difference of grades (0 to 5) treated as zero', fraction(5), 0.25)
    .option('--allow-mismatch', 'compare even if banks, fixtures or judges differ, but decide nothing')
    .addOption(
      new Option(
        '--fail-on <gate>',
        'exit with 1 if something got worse (`regression`), or unless the data show that nothing did (`noninferior`)',
      ).choices(['regression', 'noninferior']),
    )
    .option('--noise <file>', 'report of `precis noise --json`, to show differences as multiples of its noise floors')
    .option('--resamples <n>', 'number of bootstrap resamples', wholeNumber(100), 10_000)
    .option('--seed <n>', 'random seed; the same seed gives the same figures', wholeNumber(0), 1)
    .option('--markdown', 'print Markdown, e.g. for a pull request')
    .option('-o, --out <file>', 'write the result here instead of printing it')
    .option('--force', 'overwrite the output file')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (a: string, b: string, flags: CompareFlags) => finish(await runCompare(world, [a, b], flags)));
}

const EXAMPLES = `
Examples:
  Is the new prompt better than the old one?
    precis compare results/main results/new-prompt
  Fail in CI if something got worse:
    precis compare results/main results/branch --fail-on regression
  Compare two arms of one result:
    precis compare results/main results/main --arm truncation --arm-b candidate
  Print Markdown for a pull request:
    precis compare results/main results/branch --markdown

Verdicts: improved, regressed, equivalent (within the margin), inconclusive.
docs/eval-statistics.md explains how precis reaches them.

Exit codes: 0 success; 1 the gate failed; 2 invalid usage or input, or the
results cannot be compared.`;

async function runCompare(
  world: World,
  [pathA, pathB]: readonly [string, string],
  flags: CompareFlags,
): Promise<number> {
  if (flags.json === true && flags.markdown === true)
    throw new PrecisError('bad-option', 'expected one of `--json` and `--markdown`, got both');
  if (flags.out !== undefined) await checkOutput(world, flags.out, flags);
  const floors = flags.noise === undefined ? {} : await readFloors(world, flags.noise);
  const [a, b] = [await readRuns(world, pathA), await readRuns(world, pathB)];
  const { compare, gateOnEvidence, passGate } = await import('../../../eval/compare/compare.ts');
  const result = compare(a, b, {
    margin: flags.margin,
    gradeMargin: flags.gradeMargin,
    allowMismatch: flags.allowMismatch === true,
    resamples: flags.resamples,
    seed: flags.seed,
    floors,
    ...(flags.arm === undefined ? {} : { arm: flags.arm }),
    ...(flags.armB === undefined ? {} : { armB: flags.armB }),
  });
  if (result.type === 'refused') {
    if (flags.json === true) world.out(jsonText(result));
    throw new PrecisError(
      'bad-input',
      `${pathA} and ${pathB} cannot be compared: ${result.reasons.join('; ')}${REMEDY}`,
    );
  }
  const { failOn } = flags;
  const text = await comparisonText(result, failOn === undefined ? null : gateOnEvidence(result, failOn), flags);
  if (flags.out === undefined) world.out(text);
  else await writeOutput(world, { path: flags.out, text }, flags);
  return failOn === undefined ? 0 : exitOf(world, result, passGate(result, failOn));
}

const REMEDY = '; run both again with the same settings, or compare without a verdict by `--allow-mismatch`';

async function comparisonText(
  result: Comparison,
  gate: GateResult | null,
  { json, markdown }: CompareFlags,
): Promise<string> {
  if (json === true) return jsonText({ ...result, gate });
  const { compareMarkdown, compareText } = await import('../../../report/eval/compare-text.ts');
  return markdown === true ? compareMarkdown(result, gate) : compareText(result, gate);
}

/** Tells a gate that failed from one that the comparison cannot decide. */
function exitOf(world: World, { caps }: Comparison, { gate, passed, reasons }: GateResult): number {
  if (passed) return 0;
  if (caps.length > 0) {
    world.err(`precis: the gate \`${gate}\` cannot be decided: ${caps.join('; ')}\n`);
    return 2;
  }
  world.err(`precis: the gate \`${gate}\` failed: ${reasons.join('; ')}\n`);
  return 1;
}

async function readFloors(world: World, path: string): Promise<Readonly<Record<string, number>>> {
  if ((await world.kindOf(path)) !== 'file')
    throw new PrecisError('bad-option', `expected \`--noise\` to name a file, got \`${path}\``);
  const { floorsOf } = await import('../../../eval/compare/noise.ts');
  try {
    const report = JSON.parse(await world.read(path)) as Parameters<typeof floorsOf>[0];
    return floorsOf(report);
  } catch (error) {
    throw new PrecisError('bad-input', `${path}: expected a report of \`precis noise --json\``, { file: path }, error);
  }
}
