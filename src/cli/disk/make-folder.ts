import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder and those above it. Node's own `recursive` never returns where a file system says that a folder is not there and cannot be made, as `/proc` does. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await isFolder(path))) return;
    const above = dirname(path);
    if (codeOf(error) !== 'ENOENT' || above === path) throw error;
    await makeFolder(above);
    await mkdir(path).catch(async (again: unknown) => {
      // Somebody else may have made it meanwhile.
      if (codeOf(again) !== 'EEXIST' || !(await isFolder(path))) throw again;
    });
  }
}

/** False for a link that leads nowhere, too. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
