import { basename, join } from 'node:path';
import { PrecisError } from '../../../core/errors.ts';
import type { RunResult } from '../../../eval/types.ts';
import type { World } from '../../world.ts';

/** The runs of a result: all `FIXTURE-run-N.json` of a folder, or one such file. */
export async function readRuns(world: World, path: string): Promise<readonly RunResult[]> {
  const kind = await world.kindOf(path);
  if (kind === 'none' || kind === 'other')
    throw new PrecisError('bad-input', `${path}: expected a folder of results or the file of a run, but there is none`);
  const files =
    kind === 'file'
      ? [path]
      : (await world.list(path)).filter((name) => RUN_FILE.test(name)).map((name) => join(path, name));
  if (files.length === 0)
    throw new PrecisError('bad-input', `${path}: expected files named FIXTURE-run-N.json, but the folder has none`);
  // Loaded here because the schema library takes longer to load than most commands to run.
  const { parseRunResult } = await import('../../../eval/results/run-result.ts');
  const runs: RunResult[] = [];
  for (const file of files.toSorted(byNumber)) runs.push(parseRunResult(await world.read(file), file));
  refuseTwice(runs, path);
  return runs;
}

const RUN_FILE = /-run-\d+\.json$/;

function byNumber(x: string, y: string): number {
  return basename(x).localeCompare(basename(y), 'en', { numeric: true });
}

/** Refuses a run that occurs twice, because it would look like more evidence. */
function refuseTwice(runs: readonly RunResult[], path: string): void {
  const seen = new Set<string>();
  for (const { fixture, run } of runs) {
    const key = `${fixture}\0${run}`;
    if (seen.has(key))
      throw new PrecisError(
        'bad-input',
        `${path}: expected each run once, but run ${run} of ${fixture} is there twice`,
      );
    seen.add(key);
  }
}
