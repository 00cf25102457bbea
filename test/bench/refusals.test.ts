/** The commands themselves: what they refuse takes no measuring, says one sentence and writes nothing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const LIMIT_MS = 60_000;

function run(script: string, ...argv: readonly string[]) {
  const file = fileURLToPath(new URL(`../../bench/${script}.ts`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...argv], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'precis-refusals-'));
  writeFileSync(join(folder, 'file'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each(['own/run', 'report/run'])(
  '%s has a help and refuses what it does not know',
  { timeout: LIMIT_MS },
  (script) => {
    expect(run(script, '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--help'), stderr: '' });
    for (const wrong of ['--nope', 'nope']) {
      const { status, stdout, stderr } = run(script, wrong);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^Expected --\w+, --help or nothing: .*nope'\n$/);
    }
  },
);

test.each(['run', 'peers/run'])(
  '%s refuses a --json that cannot be written, before it measures',
  { timeout: LIMIT_MS },
  (script) => {
    for (const place of [folder, join(folder, 'file', 'x.json')]) {
      const { status, stdout, stderr } = run(script, '--json', place);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^.*: expected a file that can be written: .*\n$/);
      expect(stderr).toContain(place);
    }
  },
);

test('a cache that is a file is refused, and no file is made', { timeout: LIMIT_MS }, () => {
  const json = join(folder, 'out.json');
  const { status, stderr } = run('peers/run', '--cache', join(folder, 'file'), '--json', json);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `--cache ${join(folder, 'file')}: expected a folder, found a file\n`,
  });
  expect(existsSync(json)).toBe(false);
});

test('a run in which every arm failed ends with 1, and its reasons are kept', { timeout: LIMIT_MS }, () => {
  const json = join(folder, 'new', 'out.json');
  const flags = ['--arms', 'langchain', '--only', 'survival', '--no-install', '--cache', join(folder, 'none')];
  const { status, stdout, stderr } = run('peers/run', ...flags, '--json', json);
  expect(status).toBe(1);
  expect(stdout).toContain('langchain: not installed');
  expect(stderr).toContain('Expected at least one arm that runs to its end, but every one failed');
  expect(readdirSync(join(folder, 'new'))).toEqual(['out.json']);
});
