import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and any missing folders above it. Node's own `recursive` never returns on a file system such as `/proc`, which
 * says both that a folder is missing and that it cannot be made.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await isFolder(path))) return;
    const above = dirname(path);
    if (codeOf(error) !== 'ENOENT' || above === path) throw error;
    await makeFolder(above);
    await mkdir(path).catch(async (again: unknown) => {
      // Another process may have made it in the meantime.
      if (codeOf(again) !== 'EEXIST' || !(await isFolder(path))) throw again;
    });
  }
}

/** Also false for a link that leads nowhere. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
