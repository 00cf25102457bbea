import { dirname, join } from 'node:path';
import { PrecisError } from '../../../core/errors.ts';
import type { ScrubResult } from '../../../scrub/scrub.ts';
import { checkOutput, type OutputFile, type OverwriteFlags, writeOutput } from '../../disk/output-file.ts';
import type { World } from '../../world.ts';

/** `FOLDER/NAME/session.json` for each session. */
export function filesFor({ sessions }: ScrubResult, folder: string): readonly OutputFile[] {
  const seen = new Set<string>();
  return sessions.map((session) => {
    let name = session.folder;
    for (let number = 2; seen.has(name); number++) name = `${session.folder}-${number}`;
    seen.add(name);
    return { path: join(folder, name, 'session.json'), text: session.text };
  });
}

/** Checks every file before the first is written, so that a run ends with all of them or none. */
export async function checkFiles(world: World, files: readonly OutputFile[], flags: OverwriteFlags): Promise<void> {
  for (const { path } of files) {
    for (const folder of [dirname(dirname(path)), dirname(path)])
      if (!['none', 'directory'].includes(await world.kindOf(folder)))
        throw new PrecisError('bad-option', `${folder}: expected a directory to write into, got a file`);
    if ((await world.kindOf(path)) !== 'none') await checkOutput(world, path, flags);
  }
}

export async function writeFiles(world: World, files: readonly OutputFile[], flags: OverwriteFlags): Promise<void> {
  for (const file of files) {
    await world.makeFolder(dirname(file.path));
    await writeOutput(world, file, flags);
  }
}
