import { readFileSync } from 'node:fs';

/** The version of this package, as package.json has it. */
export function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return text;
}
