import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is really on disk, as `name version`: a pinned number proves nothing about the folder that was loaded. */
export async function installedVersions(folder: string, names: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8');
      return `${name} ${(JSON.parse(text) as { readonly version: string }).version}`;
    }),
  );
}
