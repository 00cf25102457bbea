/** The packed file, installed in an empty folder: what a user gets, not what stands in the working tree. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const project = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
};
const subpaths = Object.keys(manifest.exports).filter((name) => name !== './package.json');
const specifierOf = (subpath: string): string => `precis${subpath.slice(1)}`;

const work = mkdtempSync(join(tmpdir(), 'precis-artifact-'));
const user = join(work, 'user');
const installed = join(user, 'node_modules/precis');

beforeAll(() => {
  const tarball = pack(join(work, 'source'));
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  install(tarball);
  // Optional peers are the user's own; here they are those of the project.
  for (const name of Object.keys(manifest.peerDependencies)) {
    const place = join(user, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(join(project, 'node_modules', name), place);
  }
});

afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

/** Packs a copy, so that a build here never pulls `dist/` away from another test. */
function pack(source: string): string {
  mkdirSync(source);
  const names = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
  for (const name of [...names, 'src', 'scripts', 'fixtures']) {
    if (existsSync(join(project, name))) cpSync(join(project, name), join(source, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(source, 'node_modules'));
  // Runs `prepare`, and so the build.
  run('npm', ['pack', '--pack-destination', work], source);
  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack left no tarball');
  return join(work, tarball);
}

/** As a user would; without a registry the tarball is unpacked and its dependencies are those of the project. */
function install(tarball: string): void {
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  const result = spawn('npm', ['install', tarball, ...flags], user);
  if (result.status === 0) return;
  console.warn(`npm install failed; unpacking the tarball instead.\n${result.stderr}`);
  rmSync(join(user, 'node_modules'), { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed], user);
  for (const name of Object.keys(manifest.dependencies)) {
    symlinkSync(join(project, 'node_modules', name), join(user, 'node_modules', name));
  }
  mkdirSync(join(user, 'node_modules/.bin'));
  symlinkSync(join(installed, 'dist/cli/main.js'), join(user, 'node_modules/.bin/precis'));
}

function spawn(command: string, parameters: readonly string[], cwd: string) {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  // Settings of the npm that runs these tests must not reach the npm that plays the user.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|INIT_CWD|NODE_|VITEST)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), PATH: path, NO_COLOR: '1' };
  // A registry that never answers counts as none.
  return spawnSync(command, parameters, { cwd, env, encoding: 'utf8', timeout: 120_000 });
}

function run(command: string, parameters: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawn(command, parameters, cwd);
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Imports a subpath in a fresh process and tells what it exports and which files were loaded for it. */
function load(specifier: string): { readonly names: readonly string[]; readonly files: readonly string[] } {
  const script = `
    import { registerHooks } from 'node:module';
    const files = [];
    registerHooks({ load(url, context, next) { files.push(url); return next(url, context); } });
    const names = Object.keys(await import(${JSON.stringify(specifier)}));
    console.log(JSON.stringify({ names, files }));
  `;
  return JSON.parse(run(process.execPath, ['--input-type=module', '--eval', script], user)) as ReturnType<typeof load>;
}

describe('the packed files', () => {
  const files = (): readonly string[] =>
    readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));

  test('are the built ones and what a reader needs, nothing else', () => {
    expect(files()).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const strangers = files().filter(
      (file) =>
        !/^(dist\/.*\.(js|d\.ts)|dist\/core\/worth\/learned\.json|fixtures\/.*|LICENSE|README\.md|CHANGELOG\.md|package\.json)$/.test(
          file,
        ),
    );
    expect(strangers).toEqual([]);
    expect(files().filter((file) => file.includes('.test.'))).toEqual([]);
  });

  test('import each other by names that exist there', () => {
    for (const file of files().filter((name) => name.endsWith('.js'))) {
      expect(readFileSync(join(installed, file), 'utf8')).not.toMatch(/from '\.[^']*\.ts'/);
    }
  });

  test('include code and types of every subpath', () => {
    for (const target of Object.values(manifest.exports)) {
      const targets = typeof target === 'string' ? [target] : [target.types, target.default];
      for (const path of targets) expect(existsSync(join(installed, path)), path).toBe(true);
    }
  });
});

describe('importing', () => {
  test.each(subpaths)('%s works', (subpath) => {
    expect(load(specifierOf(subpath)).names.length).toBeGreaterThan(0);
  });

  test.each(subpaths.filter((subpath) => subpath !== './o200k'))(
    '%s loads no tokenizer, no command line and no other tool',
    (subpath) => {
      const tools = ['cli', 'proxy', 'eval', 'replay', 'report'].filter((name) => subpath !== `./${name}`);
      const unwanted = new RegExp(`node_modules/(commander|gpt-tokenizer)/|/precis/dist/(${tools.join('|')})/`);
      const { files } = load(specifierOf(subpath));
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((file) => unwanted.test(file))).toEqual([]);
    },
  );

  test('precis itself loads the engine, the formats and the reading of errors, and no other package', () => {
    const { files } = load('precis');
    const expected =
      /\/precis\/dist\/(?:index\.js|core\/|formats\/|context\/|models\/(?:failure\/|limit-summary-time|timers))/;
    expect(files.filter((file) => file.startsWith('file:') && !expected.test(file))).toEqual([]);
  });

  test('precis/o200k counts', () => {
    const script = "import { o200k } from 'precis/o200k'; console.log(o200k.count('hello world'));";
    expect(run(process.execPath, ['--input-type=module', '--eval', script], user).trim()).toBe('2');
  });
});

describe('the program', () => {
  const bin = join(user, 'node_modules/.bin/precis');

  test('says its version', () => {
    expect(run(bin, ['--version'], user).trim()).toContain(manifest.version);
  });

  test('says how it is used', () => {
    expect(run(bin, ['--help'], user)).toMatch(/usage: precis/i);
  });
});
