import { Command } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import type { Missing } from '../../../eval/run/calls/asker.ts';
import { anthropicLine, openaiLine, readBatchLine } from '../../../eval/run/calls/batch.ts';
import type { Environment } from '../../../models/providers.ts';
import { checkOutput, type OverwriteFlags, writeOutput } from '../../disk/output-file.ts';
import { counted } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import { DEFAULT_RUNS, type EvalFlags, withArmFlags, withSharedFlags } from './flags.ts';

interface ExportFlags extends EvalFlags, OverwriteFlags {
  readonly out: string;
}

export function exportCommand(world: World, env: Environment): Command {
  return withArmFlags(
    withSharedFlags(
      new Command('export')
        .summary('write the missing requests as batch files')
        .description('Write the missing requests as OpenAI and Anthropic batch files instead of sending them.'),
    ),
  )
    .requiredOption('-o, --out <name>', 'write NAME.openai.jsonl and NAME.anthropic.jsonl')
    .option('--force', 'overwrite the output files')
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
  for (const file of files) await checkOutput(world, file, flags);
  const missing = new Map<string, Missing>();
  const defer = (request: Missing): void => void missing.set(request.key, request);
  await evaluate({ world, flags, env, defaultRuns: DEFAULT_RUNS, arms: armsFrom(flags.arms), defer });
  const requests = [...missing.values()];
  if (requests.length === 0) {
    world.out('Nothing is missing: `precis eval` with the same flags makes no calls.\n');
    return;
  }
  const linesOf = (line: (request: Missing) => string): string =>
    requests.map((request) => `${line(request)}\n`).join('');
  await writeOutput(world, { path: files[0], text: linesOf(openaiLine) }, flags);
  await writeOutput(world, { path: files[1], text: linesOf(anthropicLine) }, flags);
  const roles = Object.entries(Object.groupBy(requests, ({ role }) => role)).map(
    ([role, all]) => `${all?.length} ${role}`,
  );
  world.out(
    `${counted(requests.length, 'request')} (${roles.join(', ')}) in ${files[0]} and ${files[1]}.\nSend one of the files, run \`precis eval import RESPONSES.jsonl\`, and export again: further requests depend on these answers.\n`,
  );
}

interface ImportFlags {
  readonly results?: string;
}

export function importCommand(world: World, finish: (code: number) => void): Command {
  return new Command('import')
    .summary('import the responses of a batch')
    .description('Import the responses of a batch, so that `precis eval` finds them.')
    .argument('<file>', 'OpenAI or Anthropic JSONL, or JSON lines with `custom_id` and `text`')
    .option('--results <folder>', 'folder for results and answers (default: results)')
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
    `Imported ${counted(taken, 'answer')}${complaints.length === 0 ? '' : `, skipped ${complaints.length}`}.\n`,
  );
  return 0;
}
