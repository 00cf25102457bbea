/** What the documentation says of flags, fields, files and code is there. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/core/language/classify.ts';
import { VOICES } from '../../src/core/language/voice.ts';
import { formats } from '../../src/formats/index.ts';
import { policies } from '../../src/replay/policies/policies.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(project, path), 'utf8');

const pages: readonly string[] = [
  ...readdirSync(project).filter((name) => name.endsWith('.md')),
  ...['docs', 'examples', '.changes'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

test.each(pages)('the links of %s lead to files', (page) => {
  const targets = [...withoutCode(read(page)).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '');
  const broken = targets.filter(
    (target) => !/^https?:/.test(target) && !existsSync(join(project, dirname(page), target)),
  );
  expect(broken).toEqual([]);
});

test.each(pages)('the paths in %s exist', (page) => {
  const named = [...withoutBlocks(read(page)).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const missing = named.filter(
    (path) => PATH.test(path) && !PLACEHOLDER.test(path) && !existsSync(join(project, path)),
  );
  expect(missing).toEqual([]);
});

/** A path in the repository, without arguments of a command. */
const PATH = /^(?:src|test|bench|scripts|docs|fixtures|examples)\/\S*$/;
/** A part that the reader fills in, such as NAME, `…`, `*`, `<id>` or `x.test.ts`. */
const PLACEHOLDER = /…|[*<>{}]|\b(?:[A-Z]+|x|mine)\b(?!\.md)/;

test('every flag is on the page of the command line', () => {
  const page = read('docs/cli.md');
  const sources = readdirSync(join(project, 'src/cli/commands'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .map((name) => read(`src/cli/commands/${name}`));
  const commands = sources.flatMap((source) => [...source.matchAll(/new Command\('(\w+)'\)/g)].map(([, name]) => name));
  expect(commands.length).toBeGreaterThanOrEqual(16);
  for (const name of commands) expect(page).toMatch(new RegExp(`precis (?:\\w+ )?${name}`));
  for (const source of sources)
    for (const [, flag] of source.matchAll(/\.option\(\s*'(?:-\w, )?(--[\w-]+)/g)) expect(page).toContain(flag);
});

test('every policy of the replay is on its page, and every policy on the page is one', () => {
  const named = [...read('docs/replay.md').matchAll(/^\| `([\w-]+)` /gm)].map((match) => match[1] ?? '');
  expect(named).toEqual(policies.map(({ id }) => id));
});

test('every field of the receipt is on its page', () => {
  const page = read('docs/receipt.md');
  const fields = [...read('src/core/receipt/receipt.ts').matchAll(/readonly (\w+):/g)].map((match) => match[1] ?? '');
  expect(fields.length).toBeGreaterThan(20);
  for (const field of fields) expect(page).toMatch(new RegExp(`\\b${field}\\b`));
});

test('every rule of a format is on the page of formats', () => {
  const page = read('docs/formats.md');
  for (const { id } of formats) {
    const folder = join(project, 'src/formats', id);
    const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    expect(page).toContain(`\`${id}\``);
    for (const name of sources)
      for (const [, rule] of read(`src/formats/${id}/${name}`).matchAll(/'((?:CHAT|ANT|RESP|GEM|AIS|LC)-\w+)'/g))
        expect(page).toContain(`\`${rule}\``);
  }
});

const PAGES_WITH_PROGRAMS: readonly string[] = [
  'README.md',
  'docs/eval.md',
  'docs/formats.md',
  'docs/replay.md',
  'docs/sessions.md',
  'docs/stores.md',
];

describe('the code blocks', () => {
  const blocks = PAGES_WITH_PROGRAMS.flatMap((page) =>
    [...read(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => [page, match[1] ?? ''] as const),
  );

  test.each(blocks)('of %s run', (_page, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-docs-'));
    try {
      copyFileSync(join(project, 'fixtures/rate-limiter/session.json'), join(folder, 'session.json'));
      cpSync(join(project, 'fixtures/rate-limiter'), join(folder, 'fixtures/rate-limiter'), { recursive: true });
      writeFileSync(join(folder, 'block.mts'), code.replaceAll(/from '(precis[\w/]*)'/g, fromSource));
      const { status, stdout, stderr } = spawnSync(process.execPath, ['block.mts'], { cwd: folder, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      expect(stdout).not.toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const SOURCES: Readonly<Record<string, string>> = {
  precis: 'src/index.ts',
  'precis/eval': 'src/eval/index.ts',
  'precis/o200k': 'src/models/o200k.ts',
  'precis/replay': 'src/replay/index.ts',
  'precis/report': 'src/report/index.ts',
  'precis/sessions': 'src/sessions/index.ts',
  'precis/sqlite': 'src/stores/index.ts',
};

/** Imports of the package as a user writes them, led to the source, so that no build is needed. */
function fromSource(_import: string, name: string): string {
  return `from ${JSON.stringify(pathToFileURL(join(project, SOURCES[name] ?? name)).href)}`;
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

test('the glossary names every voice and every kind that the engine knows', () => {
  const page = read('GLOSSARY.md');
  for (const voice of VOICES) expect(page).toContain(`\`${voice}\``);
  const kinds = /\*\*kind\*\*:[\s\S]*?\n- \*\*/.exec(page)?.[0] ?? '';
  for (const kind of KINDS) expect(kinds).toContain(kind);
});
