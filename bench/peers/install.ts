import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../src/cli/disk/make-folder.ts';
import { installedVersions } from './arms/installed-version.ts';
import { PACKAGES } from './packages.ts';

export type InstallResult =
  | { readonly type: 'ready'; readonly folder: string }
  | { readonly type: 'failed'; readonly reason: string };

const MAX_INSTALL_MS = 5 * 60_000;
/** npm itself opens many connections; more than two at once only wait for each other. */
const AT_ONCE = 2;
const REASON_LINES = 2;
const SAID_CHARS = 10_000;
/** A draft that is older belongs to a run that was killed. */
const STALE_DRAFT_MS = 60 * 60_000;
/** Without a network the reason is to be there in seconds: one more try, after one second, and errors are said whatever the caller's npm was told. */
const ARGUMENTS: readonly string[] = [
  'install',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
];

/** Outside of the package, so that no peer is ever found by an import of ours. */
export function defaultCache(env: NodeJS.ProcessEnv = process.env): string {
  const set = env['PRECIS_BENCH_CACHE'];
  if (set) return set;
  const local = process.platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME'];
  return join(local || join(homedir(), '.cache'), 'precis-bench');
}

/** Puts the peers into folders of their own below `cache`, those that are not there yet. A peer that cannot be installed says why; nothing is thrown. */
export async function installPeers(
  cache: string,
  onProgress: (line: string) => void,
  ids: readonly string[] = Object.keys(PACKAGES),
  limitMs: number = MAX_INSTALL_MS,
): Promise<ReadonlyMap<string, InstallResult>> {
  const results = new Map<string, InstallResult>();
  const waiting = [...new Set(ids)];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      results.set(id, await installOne(cache, id, { onProgress, limitMs }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

interface Running {
  readonly onProgress: (line: string) => void;
  readonly limitMs: number;
}

async function installOne(cache: string, id: string, { onProgress, limitMs }: Running): Promise<InstallResult> {
  const wanted = PACKAGES[id];
  if (wanted === undefined)
    return { type: 'failed', reason: `Expected one of ${Object.keys(PACKAGES).join(', ')}, got \`${id}\`` };
  const folder = join(cache, id);
  if (await hasAll(folder, wanted)) return { type: 'ready', folder };
  onProgress(`Installing ${namesOf(wanted).join(', ')}`);
  let draft: string | null = null;
  try {
    await makeFolder(cache);
    // What cannot be cleared away takes room and does no other harm.
    await removeStaleDrafts(cache, id).catch(() => {});
    // Beside its place, so that the last step is a rename: an install that was killed leaves a draft, which never counts.
    draft = await mkdtemp(join(cache, draftPrefix(id)));
    await writeFile(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: wanted }, null, 2));
    await runNpm(draft, limitMs);
    if (!(await hasAll(draft, wanted))) throw new Error('npm succeeded, but the exact versions are missing');
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
    draft = null;
    onProgress(`Installed ${namesOf(wanted).join(', ')}`);
    return { type: 'ready', folder };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Another run may have put it there in the meantime.
    if (await hasAll(folder, wanted)) return { type: 'ready', folder };
    onProgress(`Could not install ${id}: ${reason}`);
    return { type: 'failed', reason };
  } finally {
    if (draft !== null) await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

async function removeStaleDrafts(cache: string, id: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(draftPrefix(id))) continue;
    const { mtimeMs } = await stat(join(cache, name));
    if (Date.now() - mtimeMs > STALE_DRAFT_MS) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** No id begins with a point, so that no draft is taken for an installation. */
function draftPrefix(id: string): string {
  return `.${id}+`;
}

function namesOf(wanted: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(wanted).map(([name, version]) => `${name} ${version}`);
}

async function hasAll(folder: string, wanted: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    const found = await installedVersions(folder, Object.keys(wanted));
    return namesOf(wanted).every((name, index) => name === found[index]);
  } catch {
    return false;
  }
}

/** On Windows npm is a script, which needs a shell; no argument holds anything that a shell would read. */
function runNpm(folder: string, limitMs: number): Promise<void> {
  const isWindows = process.platform === 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ARGUMENTS, {
      cwd: folder,
      env: npmEnvironment(),
      shell: isWindows,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-SAID_CHARS);
    });
    const stop = (): void => {
      // The shell there would die alone and leave npm at work.
      if (isWindows)
        spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => {});
      else child.kill('SIGKILL');
    };
    // A bench that ends takes its npm with it.
    process.once('exit', stop);
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
      process.off('exit', stop);
      if (error === null) resolve();
      else reject(error);
    };
    const timer = setTimeout(() => {
      stop();
      settle(new Error(`npm took longer than ${limitMs / 1000} seconds`));
    }, limitMs);
    child.once('error', (error) => settle(new Error(`npm could not be started: ${error.message}`)));
    child.once('close', (code, signal) => {
      settle(code === 0 ? null : new Error(reasonIn(said) ?? `npm ended with ${signal ?? code} and printed nothing`));
    });
  });
}

/** `npm run -s` tells every npm below it to say nothing. */
function npmEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.toLowerCase() !== 'npm_config_loglevel'),
  );
}

/** npm says what went wrong first, then a stack and advice. Without its marks, as from a shell that finds no npm, the last lines say it. */
function reasonIn(said: string): string | null {
  const lines = said.split('\n').map((line) => line.trim());
  const marked = lines.flatMap((line) => /^npm (?:error|ERR!) (?!syscall |errno )(.+)/.exec(line)?.[1] ?? []);
  if (marked.length > 0) return marked.slice(0, REASON_LINES).join(' · ');
  const plain = lines.filter((line) => line !== '' && !line.startsWith('npm warn'));
  return plain.length === 0 ? null : plain.slice(-REASON_LINES).join(' · ');
}
