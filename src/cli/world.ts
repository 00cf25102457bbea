import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';

/** Everything outside the program that a command may touch. Tests pass their own. */
export interface World {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True when a person looks at standard error: only then there is a progress line. */
  readonly isTerminal: boolean;
  readonly colors: boolean;
  /** Width of the terminal in columns. */
  readonly columns: number;
  readonly now: () => number;
  exists(path: string): Promise<boolean>;
  read(path: string): Promise<string>;
  /** Writes the whole file or nothing. */
  write(path: string, text: string): Promise<void>;
}

export function realWorld(): World {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    colors: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
    columns: process.stdout.columns ?? 100,
    now: () => performance.now(),
    exists: async (path) => (await stat(path).catch(() => null)) !== null,
    read: (path) => readFile(path, 'utf8'),
    write: writeWhole,
  };
}

/** First beside its place, then into it: a process that dies while writing leaves the old file, or none. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
