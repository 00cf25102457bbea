import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { sqliteStore } from '../../src/stores/index.ts';
import type { DiskReport, DiskTask } from './disk-user.ts';
import { checkIntegrity } from './kill.ts';

const folder = mkdtempSync(join(tmpdir(), 'precis-disk-'));
// Another user has to get to the files in it.
chmodSync(folder, 0o755);
afterAll(() => {
  spawnSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const program = fileURLToPath(new URL('disk-user.ts', import.meta.url));
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const commandOf = (task: DiskTask): string =>
  ['exec', process.execPath, program, JSON.stringify(task)]
    .map((word, at) => (at === 0 ? word : quoted(word)))
    .join(' ');

function run(shell: readonly string[], before: string, task: DiskTask): DiskReport {
  const [command = '', ...parameters] = [...shell, 'sh', '-c', `${before}\n${commandOf(task)}`];
  const { status, stdout, stderr } = spawnSync(command, parameters, { encoding: 'utf8', timeout: 60_000 });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as DiskReport;
}

describe('a disk that takes no more', () => {
  function expectRefused(report: DiskReport, file: string): void {
    expect(report.committed).toBeGreaterThan(2);
    expect(report.failures).toHaveLength(2);
    for (const { code, message } of report.failures) {
      expect(code).toBe('store');
      expect(message).toContain(`The store ${file} `);
      expect(message).toMatch(/the disk is full/);
    }
    expect(report.read).toBe(report.committed);
    expect(report.found).toBe(report.committed);
  }

  test('because of a limit on the size of files: commits are refused, what is there can be read', async () => {
    const file = join(folder, 'limited.db');
    const report = run([], 'ulimit -f 4000', { file, what: 'fill' });
    expectRefused(report, file);
    checkIntegrity(file);
    const later = await sqliteStore(file, { now: () => Date.now() + 3_600_000 }).open('a', 'write');
    expect((await later.load()).messages).toHaveLength(report.committed);
  });

  const namespace = ['unshare', '--user', '--map-root-user', '--mount'];
  const mount = (where: string): string => `mount -t tmpfs -o size=4m tmpfs ${quoted(where)} || exit 9`;
  const isMountable = (): boolean =>
    spawnSync(namespace[0] ?? '', [...namespace.slice(1), 'sh', '-c', mount(tmpdir())]).status === 0;

  test.skipIf(!isMountable())('because it is full, a small one: commits are refused, what is there can be read', () => {
    const small = join(folder, 'small');
    mkdirSync(small);
    const file = join(small, 'full.db');
    const report = run(namespace, mount(small), { file, what: 'fill' });
    expectRefused(report, file);
    expect(report.failures[0]?.message).toContain('cannot grow: the disk is full');
  });
});

describe.skipIf(process.platform === 'win32')('a file that may not be written', () => {
  async function filled(name: string): Promise<string> {
    mkdirSync(join(folder, name));
    const file = join(folder, name, 'store.db');
    const store = sqliteStore(file);
    const context = await store.open('a', 'write');
    await context.commit({
      messages: [{ body: '{"$c":0}', contents: ['kept'], at: 1, chunks: [{ words: ['word'] }] }],
      events: [],
      state: null,
    });
    await store.close();
    return file;
  }

  function expectReadable(report: DiskReport, file: string): void {
    expect(report.failures).toHaveLength(2);
    for (const { code, message } of report.failures) {
      expect(code).toBe('store');
      expect(message).toContain(`The store ${file} may not be written: the file or its folder is read-only`);
    }
    expect(report).toMatchObject({ read: 1, found: 1 });
  }

  test('itself can be read', async () => {
    const file = await filled('file');
    chmodSync(file, 0o444);
    chmodSync(dirname(file), 0o777);
    expectReadable(run([], '', { file, what: 'read-only' }), file);
  });

  test('nor its folder can be read', async () => {
    const file = await filled('folder');
    chmodSync(file, 0o444);
    chmodSync(dirname(file), 0o555);
    expectReadable(run([], '', { file, what: 'read-only' }), file);
    expect(readdirSync(dirname(file))).toEqual(['store.db']);
  });

  test('because only its folder is closed can be read', async () => {
    const file = await filled('closed');
    chmodSync(file, 0o666);
    chmodSync(dirname(file), 0o555);
    expectReadable(run([], '', { file, what: 'read-only' }), file);
  });
});
