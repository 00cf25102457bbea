import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A module of an installed peer by its file, because what is needed is often not among its exports. The caller says what it uses of it. */
export async function importInstalled<Module>(folder: string, path: string): Promise<Module> {
  return (await import(pathToFileURL(join(folder, 'node_modules', path)).href)) as Module;
}
