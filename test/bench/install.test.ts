import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultCache, installPeers } from '../../bench/peers/install.ts';
import { PACKAGES } from '../../bench/peers/packages.ts';

const INSTALLS = `
const { mkdirSync, readFileSync, writeFileSync, appendFileSync } = require('node:fs');
appendFileSync(process.env.FAKE_NPM_LOG, process.argv.slice(2).join(' ') + '\\n');
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const [name, version] of Object.entries(dependencies)) {
  mkdirSync('node_modules/' + name, { recursive: true });
  writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ name, version }));
}
`;
const OFFLINE = `
console.error('npm warn Unknown user config');
console.error('npm error code ENOTFOUND');
console.error('npm error errno ENOTFOUND');
console.error('npm error network request to https://packages.example/ai failed, reason: getaddrinfo ENOTFOUND');
console.error('npm error     at ClientRequest.emit (node:events:524:28)');
console.error('npm error A complete log of this run can be found in: /home/x/.npm/_logs/debug-0.log');
process.exit(1);
`;
/** All seems to be there, but npm is still at work. Nobody stops it when its parent was killed, so it ends by itself. */
const HANGS = `${INSTALLS}
setTimeout(() => {}, 5000);
`;
const WRONG_VERSION = INSTALLS.replace('{ name, version }', "{ name, version: '0.0.0' }");

// The fake is a script with a first line that says who runs it, which Windows does not read.
describe.skipIf(process.platform === 'win32')('installing the peers', () => {
  const path = process.env['PATH'] ?? '';
  let root = '';
  let cache = '';
  let said: string[] = [];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'precis-install-'));
    cache = join(root, 'cache');
    said = [];
    process.env['PATH'] = `${join(root, 'bin')}${delimiter}${path}`;
    process.env['FAKE_NPM_LOG'] = join(root, 'npm.log');
  });

  afterEach(async () => {
    process.env['PATH'] = path;
    delete process.env['FAKE_NPM_LOG'];
    await rm(root, { recursive: true, force: true });
  });

  const fakeNpm = async (script: string): Promise<void> => {
    await mkdir(join(root, 'bin'), { recursive: true });
    await writeFile(join(root, 'bin', 'npm'), `#!${process.execPath}\n${script}`);
    await chmod(join(root, 'bin', 'npm'), 0o755);
  };
  const install = (ids: readonly string[], limitMs?: number) =>
    installPeers(cache, (line) => said.push(line), ids, limitMs);
  const npmRuns = async (): Promise<readonly string[]> =>
    (await readFile(join(root, 'npm.log'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

  it('puts every peer into a folder of its own, without running its scripts', async () => {
    await fakeNpm(INSTALLS);
    const results = await install(Object.keys(PACKAGES));
    for (const id of Object.keys(PACKAGES)) expect(results.get(id)).toEqual({ type: 'ready', folder: join(cache, id) });
    expect((await readdir(cache)).toSorted()).toEqual(Object.keys(PACKAGES).toSorted());
    expect(new Set(await npmRuns())).toEqual(
      new Set([
        'install --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000',
      ]),
    );
    expect(said).toContain('Installed ai 7.0.169');
  });

  it('does not ask npm again for what is there in the exact version', async () => {
    await fakeNpm(INSTALLS);
    await install(['ai-sdk']);
    await install(['ai-sdk']);
    expect(await npmRuns()).toHaveLength(1);
    await writeFile(join(cache, 'ai-sdk/node_modules/ai/package.json'), '{"version":"6.0.0"}');
    await install(['ai-sdk']);
    expect(await npmRuns()).toHaveLength(2);
  });

  it('says why npm failed, and leaves nothing behind', async () => {
    await fakeNpm(OFFLINE);
    expect((await install(['ai-sdk'])).get('ai-sdk')).toEqual({
      type: 'failed',
      reason: 'code ENOTFOUND · network request to https://packages.example/ai failed, reason: getaddrinfo ENOTFOUND',
    });
    expect(await readdir(cache)).toEqual([]);
  });

  it('hears why npm failed below a script of npm that is to be silent', async () => {
    await fakeNpm(`if (process.env.npm_config_loglevel === undefined) {${OFFLINE}} process.exit(1);`);
    const before = process.env['npm_config_loglevel'];
    process.env['npm_config_loglevel'] = 'silent';
    try {
      const reason = expect.stringContaining('ENOTFOUND');
      expect((await install(['ai-sdk'])).get('ai-sdk')).toMatchObject({ type: 'failed', reason });
    } finally {
      if (before === undefined) delete process.env['npm_config_loglevel'];
      else process.env['npm_config_loglevel'] = before;
    }
  });

  it('fails without a throw when there is no npm, no such peer, or no place to write to', async () => {
    process.env['PATH'] = join(root, 'nowhere');
    expect((await install(['ai-sdk'])).get('ai-sdk')).toMatchObject({
      type: 'failed',
      reason: expect.stringContaining('npm could not be started'),
    });
    expect((await install(['nobody'])).get('nobody')).toMatchObject({ type: 'failed' });
    await writeFile(join(root, 'file'), '');
    const results = await installPeers(join(root, 'file', 'cache'), () => {}, ['ai-sdk']);
    expect(results.get('ai-sdk')).toMatchObject({ type: 'failed' });
  });

  it('does not take another version for the one that was asked for', async () => {
    await fakeNpm(WRONG_VERSION);
    expect((await install(['ai-sdk'])).get('ai-sdk')).toMatchObject({ type: 'failed' });
  });

  it('stops an npm that takes too long', async () => {
    await fakeNpm(HANGS);
    const result = (await install(['ai-sdk'], 1_000)).get('ai-sdk');
    expect(result).toEqual({ type: 'failed', reason: 'npm took longer than 1 seconds' });
    expect(await readdir(cache)).toEqual([]);
  });

  it('counts nothing as ready that a killed run left, and clears it away later', async () => {
    await fakeNpm(HANGS);
    const module = fileURLToPath(new URL('../../bench/peers/install.ts', import.meta.url));
    const code = `import { installPeers } from ${JSON.stringify(module)}; await installPeers(process.argv[1], () => {}, ['ai-sdk']);`;
    const run = spawn(process.execPath, ['--input-type=module', '-e', code, cache], { stdio: 'ignore' });
    const exited = once(run, 'exit');
    await expect.poll(async () => (await npmRuns()).length, { timeout: 10_000 }).toBe(1);
    run.kill('SIGKILL');
    await exited;
    const left = await readdir(cache);
    expect(left).toHaveLength(1);
    expect(left).not.toContain('ai-sdk');
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    await utimes(join(cache, left[0] ?? ''), longAgo, longAgo);
    await fakeNpm(INSTALLS);
    expect((await install(['ai-sdk'])).get('ai-sdk')).toMatchObject({ type: 'ready' });
    expect(await readdir(cache)).toEqual(['ai-sdk']);
  });
});

describe('the folder of the peers', () => {
  it('is the one that was set, or the usual place for caches', () => {
    expect(defaultCache({ PRECIS_BENCH_CACHE: '/there' })).toBe('/there');
    const variable = process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';
    expect(defaultCache({ [variable]: join('/', 'caches') })).toBe(join('/', 'caches', 'precis-bench'));
    expect(defaultCache({})).toMatch(/\.cache.precis-bench$/);
  });
});
