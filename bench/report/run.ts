/** `npm run bench:report [-- --check]`: the pages of the documentation that hold figures, made from `bench/results`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { workloads } from '../speed/workloads/index.ts';
import { changedIn, outputsOf } from './outputs.ts';
import { ResultFileError } from './result-file.ts';

const CHANGED = 1;
const BAD_INPUT = 2;

export interface Reported {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Writes what has changed, or only says so. */
export function report(root: string, mode: 'write' | 'check'): Reported {
  try {
    const descriptions = Object.fromEntries(workloads.map(({ name, what }) => [name, what]));
    const changed = changedIn(root, outputsOf(root, descriptions));
    if (mode === 'check')
      return changed.length === 0
        ? { code: 0, lines: ['The documentation is that of the results.'] }
        : {
            code: CHANGED,
            lines: changed.map(({ file }) => `${file} is not that of the results: run npm run bench:report`),
          };
    for (const { file, text } of changed) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    return {
      code: 0,
      lines: changed.length === 0 ? ['Nothing has changed.'] : changed.map(({ file }) => `wrote ${file}`),
    };
  } catch (error) {
    if (error instanceof ResultFileError) return { code: BAD_INPUT, lines: [error.message] };
    throw error;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { code, lines } = report(root, values.check === true ? 'check' : 'write');
  for (const line of lines) (code === 0 ? process.stdout : process.stderr).write(`${line}\n`);
  process.exitCode = code;
}
