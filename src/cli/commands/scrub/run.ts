import { PrecisError } from '../../../core/errors.ts';
import { reportOf } from '../../../scrub/report.ts';
import { checkOutput } from '../../disk/output-file.ts';
import type { World } from '../../world.ts';
import { checkFiles, filesFor, writeFiles } from './files.ts';
import type { ScrubFlags } from './flags.ts';
import { optionsFrom, readInputs } from './input.ts';
import { printReport } from './print-report.ts';
import { type Load, secretlint, withSecondOpinion } from './secretlint.ts';

interface ScrubJob {
  readonly world: World;
  readonly paths: readonly string[];
  readonly flags: ScrubFlags;
  readonly load: Load | undefined;
}

/** Scrubs, audits and writes; gives the exit code. */
export async function runScrub({ world, paths, flags, load }: ScrubJob): Promise<number> {
  checkFlags(paths, flags);
  if (typeof flags.report === 'string' && flags.report !== '-') await checkOutput(world, flags.report, flags);
  const options = await optionsFrom(world, flags);
  const inputs = await readInputs(world, paths, flags);
  const { scrubSessions } = await import('../../../scrub/scrub.ts');
  const scrubbed = scrubSessions(inputs, options);
  const files = flags.out === undefined ? [] : filesFor(scrubbed, flags.out);
  await checkFiles(world, files, flags);
  const opinion = await secretlint(load);
  const report =
    opinion === null ? reportOf(scrubbed, null) : reportOf(await withSecondOpinion(scrubbed, opinion), 'secretlint');
  if (report.ok) await writeFiles(world, files, flags);
  await printReport(world, report, flags);
  return report.ok ? 0 : 1;
}

function checkFlags(paths: readonly string[], { firstMessage, json, report }: ScrubFlags): void {
  if (firstMessage !== undefined && paths.length > 1)
    throw new PrecisError(
      'bad-option',
      `expected one session with \`--first-message\`, got ${paths.length}: each has its own first message`,
    );
  if (json === true && (report === true || report === '-'))
    throw new PrecisError(
      'bad-option',
      '`--json` and `--report` both want standard output; give the report a file, or leave out one of them',
    );
}
