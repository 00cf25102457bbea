import { readFile } from 'node:fs/promises';

/** `precis` with the version of this tree. */
export async function ownVersion(): Promise<string> {
  const file = new URL('../../../package.json', import.meta.url);
  const { name, version } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  return `${name} ${version}`;
}
