import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedIn, outputsOf } from './outputs.ts';
import { ResultFileError } from './result-file.ts';
import type { Descriptions } from './sections/speed.ts';

const CHANGED = 1;
export const BAD_INPUT = 2;

export interface Reported {
  /** The exit code. */
  readonly code: number;
  readonly lines: readonly string[];
}

/** Writes the changed files, or only names them. */
export function report(root: string, mode: 'write' | 'check', descriptions: Descriptions): Reported {
  try {
    const changed = changedIn(root, outputsOf(root, descriptions));
    if (mode === 'check' && changed.length > 0)
      return {
        code: CHANGED,
        lines: changed.map(({ file }) => `${file} does not match the results: run npm run bench:report`),
      };
    if (mode === 'check') return { code: 0, lines: ['The documentation matches the results.'] };
    for (const { file, text } of changed) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const written = changed.map(({ file }) => `wrote ${file}`);
    return { code: 0, lines: written.length === 0 ? ['Nothing has changed.'] : written };
  } catch (error) {
    if (error instanceof ResultFileError) return { code: BAD_INPUT, lines: [error.message] };
    throw error;
  }
}
