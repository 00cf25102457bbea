import { dirname } from 'node:path';
import { PrecisError } from '../../core/errors.ts';
import type { World } from '../world.ts';

export interface OverwriteFlags {
  readonly force?: boolean | undefined;
}

export interface OutputFile {
  readonly path: string;
  readonly text: string;
}

/** Fails before any work is done, rather than after it, when a result could not be written. */
export async function checkOutput(world: World, path: string, { force }: OverwriteFlags): Promise<void> {
  const kind = await world.kindOf(path);
  if (kind === 'directory') throw wrong(path, 'expected a file to write to, got a directory');
  if (kind === 'file' && force !== true) throw alreadyThere(path);
  if (kind !== 'none') return;
  const folder = dirname(path);
  if ((await world.kindOf(folder)) !== 'directory')
    throw wrong(path, `expected a directory to write into, but there is none at ${folder}`);
}

export async function writeOutput(world: World, { path, text }: OutputFile, { force }: OverwriteFlags): Promise<void> {
  try {
    await world.write(path, text, { replace: force === true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    if (code === 'EEXIST') throw alreadyThere(path);
    throw wrong(path, REASONS[code] ?? `expected a place that can be written, but writing failed (${code})`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'expected a place that may be written, but permission is denied',
  EPERM: 'expected a place that may be written, but permission is denied',
  EROFS: 'expected a place that may be written, but the file system is read-only',
  ENOSPC: 'expected room for the result, but the disk is full; nothing was written',
  ENAMETOOLONG: 'expected a shorter file name',
};

function alreadyThere(path: string): PrecisError {
  return wrong(path, 'expected a file that does not exist yet; choose another or overwrite it with `--force`');
}

function wrong(path: string, sentence: string): PrecisError {
  return new PrecisError('bad-option', `${path}: ${sentence}`, { file: path });
}
