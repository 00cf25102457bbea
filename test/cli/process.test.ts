/** The built program as a real process: pipes, signals, a full stop in the middle of writing. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { behave, startModelServer } from '../../src/testing/index.ts';
import { chatSession } from './sample.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'precis-process-'));
const main = join(work, 'dist/cli/main.js');
const files = join(work, 'files');
const small = join(work, 'small.json');
const wide = join(work, 'wide.json');

beforeAll(() => {
  chmodSync(work, 0o755);
  // Into a folder of its own: a build in the working tree would pull `dist/` away from others.
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  const settings = ['-p', join(project, 'tsconfig.build.json'), '--outDir', join(work, 'dist')];
  spawnSync(process.execPath, [compiler, ...settings], { cwd: project });
  for (const name of ['node_modules', 'package.json', 'fixtures']) symlinkSync(join(project, name), join(work, name));
  writeFileSync(small, JSON.stringify(chatSession()));
  // Quick to read and to compact, slow to write.
  const url = `data:image/png;base64,${'A'.repeat(40_000_000)}`;
  const picture = {
    role: 'user',
    content: [
      { type: 'text', text: 'Look.' },
      { type: 'image_url', image_url: { url } },
    ],
  };
  writeFileSync(wide, JSON.stringify([...chatSession(), picture]));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(files, { recursive: true, force: true });
  mkdirSync(files);
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function precis(args: readonly string[], options: { readonly input?: string; readonly uid?: number } = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: work,
    encoding: 'utf8',
    input: '',
    ...options,
  });
  return { status, stdout, stderr };
}

function shell(script: string): Ended {
  const env = { ...process.env, NODE: process.execPath, MAIN: main, SMALL: small, WIDE: wide };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: work, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

describe('the program', () => {
  test('compacts a file into a file', () => {
    const out = join(files, 'b.json');
    const { status, stdout, stderr } = precis(['compact', small, '--target', '1500', '--out', out]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`Written to ${out}`);
    expect(stdout).not.toContain('\u001b');
    expect(readdirSync(files)).toEqual(['b.json']);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toBeInstanceOf(Array);
    expect(precis(['compact', small, '--target', '1500', '--out', out])).toMatchObject({ status: 2, stdout: '' });
  });

  test('reads and writes pipes', () => {
    const input = readFileSync(small, 'utf8');
    const { status, stdout } = precis(['compact', '-', '--target', '1500', '--out', '-'], { input });
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as unknown[]).length).toBeGreaterThan(2);
    // More than a pipe holds.
    const copy = shell('"$NODE" "$MAIN" compact "$WIDE" --target 90000 --out - 2>/dev/null | cmp - "$WIDE"');
    expect(copy).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test.each(['compact --help', 'compact "$WIDE" --target 90000 --out -'])(
    'ends quietly when its reader has seen enough: %s',
    (command) => {
      const { stderr } = shell(`"$NODE" "$MAIN" ${command} | head -c 1 >/dev/null`);
      expect(stderr).not.toMatch(/EPIPE|node:|at /);
    },
  );

  test('has a demo', () => {
    const { status, stdout, stderr } = precis(['demo']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('tokens');
  });

  test('says one sentence on a Node that is too old, before it loads anything', () => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.4' } });`;
    const ran = spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, main], {
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'precis: expected Node.js 22.18 or later, got 20.19.4; get a newer one from https://nodejs.org\n',
    });
  });
});

describe('writing', () => {
  test('goes through a link, keeps the mode of a file, and leaves what is no file alone', () => {
    const real = join(files, 'real.json');
    const alias = join(files, 'alias.json');
    writeFileSync(real, 'old', { mode: 0o600 });
    symlinkSync(real, alias);
    expect(precis(['compact', small, '--target', '1500', '--out', alias, '--force']).status).toBe(0);
    expect(lstatSync(alias).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toMatch(/^\[/);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(precis(['compact', small, '--target', '1500', '--out', '/dev/null']).status).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('into a directory that is missing fails with a sentence', () => {
    const out = join(files, 'missing/b.json');
    expect(precis(['compact', small, '--target', '1500', '--out', out])).toEqual({
      status: 2,
      stdout: '',
      stderr: `precis: ${out}: expected a directory to write into, but there is none at ${join(files, 'missing')}\n`,
    });
  });

  // For root nothing is forbidden, so the program runs as nobody there.
  const someone = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const isPossible =
    process.platform !== 'win32' && spawnSync(process.execPath, ['-e', ''], { cwd: project, ...someone }).status === 0;

  test.skipIf(!isPossible)('and reading without permission fail with a sentence', () => {
    chmodSync(files, 0o555);
    const out = join(files, 'b.json');
    expect(precis(['compact', small, '--target', '1500', '--out', out], someone)).toEqual({
      status: 2,
      stdout: '',
      stderr: `precis: ${out}: expected a place that may be written, but permission is denied\n`,
    });
    chmodSync(files, 0o755);
    const secret = join(files, 'secret.json');
    writeFileSync(secret, '[]', { mode: 0 });
    expect(precis(['compact', secret], someone)).toEqual({
      status: 2,
      stdout: '',
      stderr: `precis: ${secret}: expected a file that may be read, but permission is denied\n`,
    });
  });
});

describe('a process that is ended while it writes', () => {
  const out = join(files, 'b.json');

  /** Starts a copy of the large session and ends it as soon as something is there. */
  async function endWhileWriting(signal: NodeJS.Signals, ...flags: readonly string[]): Promise<NodeJS.Signals | null> {
    const child = spawn(process.execPath, [main, 'compact', wide, '--target', '90000', '--out', out, ...flags]);
    const ended = endOf(child);
    while (child.exitCode === null && !readdirSync(files).some((name) => name.endsWith('.tmp'))) await sleep(1);
    child.kill(signal);
    return ended;
  }

  function endOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
    return new Promise((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  }

  test('by kill -9 leaves no half of a file', async () => {
    await endWhileWriting('SIGKILL');
    if (existsSync(out)) expect(statSync(out).size).toBe(statSync(wide).size);
  });

  test('by kill -9 leaves the old file as it was', async () => {
    writeFileSync(out, 'old');
    await endWhileWriting('SIGKILL', '--force');
    if (readFileSync(out, 'utf8') !== 'old') expect(statSync(out).size).toBe(statSync(wide).size);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('by %s leaves nothing at all', async (signal) => {
    const ended = await endWhileWriting(signal);
    const left = readdirSync(files);
    if (ended === null) expect(left).toEqual(['b.json']);
    else {
      expect(ended).toBe(signal);
      expect(left.filter((name) => name !== 'b.json')).toEqual([]);
      if (left.length > 0) expect(statSync(out).size).toBe(statSync(wide).size);
    }
  });

  test('by Ctrl-C at work ends at once with 130 for a shell, and leaves nothing', async () => {
    const long = join(work, 'long.json');
    writeFileSync(long, JSON.stringify(chatSession(6000, 60)));
    const child = spawn(process.execPath, [main, 'compact', long, '--target', '5000', '--out', out]);
    const ended = endOf(child);
    await sleep(700);
    child.kill('SIGINT');
    // Ended by the signal itself: that is what a shell reports as 128 + 2.
    expect(await ended).toBe('SIGINT');
    expect(readdirSync(files)).toEqual([]);
  });

  test('by Ctrl-C while a model is writing ends at once and leaves nothing', async () => {
    await using server = await startModelServer(behave.stall());
    const args = [main, 'compact', small, '--target', '700', '--model', 'compatible/slow', '--out', out];
    const child = spawn(process.execPath, args, { env: { ...process.env, PRECIS_BASE_URL: `${server.url}/v1` } });
    const ended = endOf(child);
    for (let waited = 0; server.requests.length === 0 && waited < 10_000; waited += 50) await sleep(50);
    expect(server.requests).toHaveLength(1);
    await sleep(100);
    child.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
    expect(readdirSync(files)).toEqual([]);
  });
});
