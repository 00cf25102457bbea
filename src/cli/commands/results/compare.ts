import { Command, InvalidArgumentError, Option } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import type { Comparison, ComparisonGate, GateResult } from '../../../eval/compare/compare.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import { wholeNumber } from '../../flags.ts';
import type { World } from '../../world.ts';
import { readRuns } from './run-files.ts';

interface CompareFlags {
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
  readonly force?: boolean;
  readonly json?: boolean;
}

export function compareCommand(world: World, finish: (code: number) => void): Command {
  return new Command('compare')
    .description('Say whether the second of two evaluation results is better, worse or the same, and how sure that is.')
    .argument('<run-a>', 'folder of results, or the file of one run: what is compared with')
    .argument('<run-b>', 'the same of what is new')
    .option('--arm <name>', 'arm to compare (default: the candidate)')
    .option('--arm-b <name>', 'arm of the second result (default: the same)')
    .option('--margin <share>', 'differences of shares within this count as none', fraction(1), 0.05)
    .option('--grade-margin <grade>', 'the same for grades from 0 to 5', fraction(5), 0.25)
    .option('--allow-mismatch', 'compare although banks, fixtures or judges differ; then nothing is decided')
    .addOption(
      new Option(
        '--fail-on <gate>',
        'exit with 1: `regression` if something got worse, `noninferior` unless it is shown that nothing did',
      ).choices(['regression', 'noninferior']),
    )
    .option('--noise <file>', 'report of `precis noise --json`; differences are shown as multiples of its floors')
    .option('--resamples <n>', 'resamples of the bootstrap', wholeNumber(100), 10_000)
    .option('--seed <n>', 'the same seed gives the same figures', wholeNumber(0), 1)
    .option('--markdown', 'print Markdown, to paste into a pull request')
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
  In CI: stop when something got worse
    precis compare results/main results/branch --fail-on regression
  Two arms of one result:
    precis compare results/main results/main --arm truncation --arm-b candidate
  For a pull request:
    precis compare results/main results/branch --markdown

Verdicts: improved, regressed, equivalent (within the margin), inconclusive. How they are made: docs/eval-statistics.md.
Exit codes: 0 done; 1 the gate failed; 2 wrong usage or input, or the two cannot be compared.`;

async function runCompare(
  world: World,
  [pathA, pathB]: readonly [string, string],
  flags: CompareFlags,
): Promise<number> {
  if (flags.json === true && flags.markdown === true)
    throw new PrecisError('bad-option', 'expected one of `--json` and `--markdown`, got both');
  if (flags.out !== undefined) await checkOutput(world, flags.out, flags.force === true);
  const floors = flags.noise === undefined ? {} : await readFloors(world, flags.noise);
  const [a, b] = [await readRuns(world, pathA), await readRuns(world, pathB)];
  const { compare, passGate } = await import('../../../eval/compare/compare.ts');
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
    if (flags.json === true) world.out(`${JSON.stringify(result, null, 2)}\n`);
    throw new PrecisError(
      'bad-input',
      `${pathA} and ${pathB} cannot be compared: ${result.reasons.join('; ')}${REMEDY}`,
    );
  }
  const gate = flags.failOn === undefined ? null : passGate(result, flags.failOn);
  const text = await textOf(result, gate, flags);
  if (flags.out === undefined) world.out(text);
  else await writeOutput(world, flags.out, text, flags.force === true);
  return exitOf(world, result, gate);
}

const REMEDY = '; run both again with the same, or look at them with `--allow-mismatch`';

async function textOf(result: Comparison, gate: GateResult | null, { json, markdown }: CompareFlags): Promise<string> {
  if (json === true) return `${JSON.stringify({ ...result, gate }, null, 2)}\n`;
  const { compareMarkdown, compareText } = await import('../../../report/eval/compare-text.ts');
  return markdown === true ? compareMarkdown(result, gate) : compareText(result, gate);
}

/** A gate that nothing can be said about does not pass in silence. */
function exitOf(world: World, { caps }: Comparison, gate: GateResult | null): number {
  if (gate === null) return 0;
  if (caps.length > 0) {
    world.err(`precis: the gate \`${gate.gate}\` cannot be decided: ${caps.join('; ')}\n`);
    return 2;
  }
  if (gate.passed) return 0;
  world.err(`precis: the gate \`${gate.gate}\` failed: ${gate.reasons.join('; ')}\n`);
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

function fraction(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value > 0 && value <= most) return value;
    throw new InvalidArgumentError(
      `Expected a number above 0, at most ${most}, such as ${most === 1 ? '0.05' : '0.25'}.`,
    );
  };
}
