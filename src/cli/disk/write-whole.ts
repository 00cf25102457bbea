import { rmSync } from 'node:fs';
import { link, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes a file whole or not at all: first next to its place, then into it. A process that dies in between leaves the old file, or
 * none. Devices and named pipes, such as `/dev/null`, are written to directly.
 */
export async function writeWhole(
  path: string,
  text: string,
  { replace }: { readonly replace: boolean },
): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile() && !found.isDirectory()) return writeFile(path, text);
  // A link stays a link: only the file it leads to is replaced.
  const place = found === null ? path : await realpath(path);
  const temporary = `${place}.${process.pid}.tmp`;
  const release = onInterrupt(() => rmSync(temporary, { force: true }));
  try {
    const file = await open(temporary, 'wx', found?.mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (replace) await rename(temporary, place);
    else await moveWithoutReplacing(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    release();
  }
}

/** Unlike a rename, a link fails when the name is taken, even if only a moment ago. Some file systems have no links. */
async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(String(error.code)))) throw error;
    return rename(from, to);
  }
  await rm(from);
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Tidies up on a signal, then lets the same signal end the process. Returns a function that stops listening. */
function onInterrupt(tidy: () => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    release();
    tidy();
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    for (const signal of INTERRUPTS) process.off(signal, end);
  };
  for (const signal of INTERRUPTS) process.on(signal, end);
  return release;
}
