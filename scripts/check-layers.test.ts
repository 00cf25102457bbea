import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { checkLayers, type LayerTable } from './check-layers.ts';
import { codeOnly, importsOf } from './source-text.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const table = JSON.parse(readFileSync(join(project, 'layers.json'), 'utf8')) as LayerTable;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'precis-layers-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function problems(files: Readonly<Record<string, string>>): readonly string[] {
  return checkLayers(tree(files), table).map(({ file, line, text }) => `${file}:${line} ${text}`);
}

describe('the table', () => {
  test('holds for this project', () => {
    expect(checkLayers(project, table)).toEqual([]);
  });

  test('names a layer that may not be imported, with file, line and what is allowed', () => {
    expect(problems({ 'src/formats/a.ts': "// first line\nimport { x } from '../stores/memory.ts';\n" })).toEqual([
      "src/formats/a.ts:2 may not import '../stores/memory.ts' (layer stores). formats may import: core; from outside: nothing",
    ]);
  });

  test('lets core import nothing from outside', () => {
    expect(problems({ 'src/core/a.ts': "import { readFileSync } from 'node:fs';" })).toHaveLength(1);
    expect(problems({ 'src/core/a.ts': "export * from 'zod';" })).toHaveLength(1);
    expect(problems({ 'src/core/a.ts': "const zod = await import('zod');" })).toHaveLength(1);
    expect(problems({ 'src/core/a.ts': 'const any = await import(name);' })).toHaveLength(1);
    expect(problems({ 'src/core/a.ts': "import '../formats/anthropic/index.ts';" })).toHaveLength(1);
  });

  test('allows the disk in the files that are named for it, and nowhere else', () => {
    const text = "import { readFileSync } from 'node:fs';";
    expect(problems({ 'src/sessions/open.ts': text })).toEqual([]);
    expect(problems({ 'src/sessions/agents/codex.ts': text })).toHaveLength(1);
    expect(problems({ 'src/sessions/nested/open.ts': text })).toHaveLength(1);
  });

  test('allows types where values are not allowed', () => {
    expect(problems({ 'src/report/a.ts': "import type { Run } from '../eval/result.ts';" })).toEqual([]);
    expect(problems({ 'src/report/a.ts': "import { run } from '../eval/run.ts';" })).toHaveLength(1);
  });

  test('keeps the order inside core', () => {
    expect(problems({ 'src/core/tokens/a.ts': "import { m } from '../conversation/message.ts';" })).toEqual([]);
    expect(problems({ 'src/core/plan/a.ts': "import { m } from '../tokens/window.ts';" })).toEqual([]);
    expect(problems({ 'src/core/compact.ts': "import { plan } from './plan/plan.ts';" })).toEqual([]);
    expect(problems({ 'src/core/conversation/a.ts': "import { m } from '../tokens/measure.ts';" })).toHaveLength(1);
    expect(problems({ 'src/core/plan/a.ts': "import { compact } from '../compact.ts';" })).toHaveLength(1);
    expect(problems({ 'src/core/redact/a.ts': "import { m } from '../conversation/message.ts';" })).toHaveLength(1);
    expect(problems({ 'src/core/conversation/a.ts': "import type { Format } from '../format.ts';" })).toEqual([]);
  });

  test('lets nothing import the façade, and the command line everything else', () => {
    expect(problems({ 'src/cli/main.ts': "import { x } from '../index.ts';" })).toHaveLength(1);
    const text = "import { Command } from 'commander';\nimport { a } from '../eval/run.ts';";
    expect(problems({ 'src/cli/main.ts': text })).toEqual([]);
  });

  test('asks for a layer when a file is in none', () => {
    expect(problems({ 'src/helpers/a.ts': '' })[0]).toContain('is in no layer');
  });

  test('finds chance in core', () => {
    expect(problems({ 'src/core/a.ts': '\nexport const roll = (): number => Math.random();' })).toEqual([
      'src/core/a.ts:2 may not use Math.random: core is pure',
    ]);
    expect(problems({ 'src/core/a.ts': "// never Math.random()\nexport const text = 'Math.random';" })).toEqual([]);
  });

  test('does not read tests', () => {
    expect(problems({ 'src/core/a.test.ts': "import { readFileSync } from 'node:fs';" })).toEqual([]);
  });
});

describe('the program', () => {
  const run = (root: string) =>
    spawnSync(process.execPath, [join(project, 'scripts/check-layers.ts'), root], { encoding: 'utf8' });

  test('exits with 1 and says why on a violation', () => {
    const root = tree({ 'src/core/a.ts': "import 'node:fs';", 'layers.json': JSON.stringify(table) });
    const { status, stderr } = run(root);
    expect(status).toBe(1);
    expect(stderr).toContain(
      "src/core/a.ts:1 may not import 'node:fs'. core may import: nothing; from outside: nothing",
    );
    expect(stderr).toContain('1 violation');
  });

  test('exits with 0 on a clean tree', () => {
    expect(run(tree({ 'src/core/a.ts': '', 'layers.json': JSON.stringify(table) })).status).toBe(0);
  });
});

describe('reading a source', () => {
  const specifiers = (source: string) => importsOf(source).map((found) => found.specifier);

  test('finds every form of import', () => {
    const source = [
      "import 'a';",
      "import b from 'b';",
      "import * as c from 'c';",
      "import {\n  d,\n  type e,\n} from 'd';",
      "export * from 'f';",
      "export { g } from 'g';",
      "const h = await import('h');",
      "const i = require('i');",
      "let j: import('j').J;",
    ].join('\n');
    expect(specifiers(source)).toEqual(['a', 'b', 'c', 'd', 'f', 'g', 'h', 'i', 'j']);
    expect(importsOf(source).some((found) => found.typeOnly)).toBe(false);
  });

  test('tells types from values', () => {
    expect(importsOf("import type { A } from 'a';")[0]?.typeOnly).toBe(true);
    expect(importsOf("export type { A } from 'a';")[0]?.typeOnly).toBe(true);
    expect(importsOf("import type from 'a';")[0]?.typeOnly).toBe(false);
  });

  test('is not misled by comments, strings, templates and regular expressions', () => {
    expect(specifiers("// import 'a';\n/* import 'b'; */")).toEqual([]);
    expect(specifiers('const text = "import \'a\'";')).toEqual([]);
    expect(specifiers("const text = `import 'a' ${nested(`import 'b'`)} import 'c'`;\nimport 'd';")).toEqual(['d']);
    expect(specifiers("const quote = /['\"`]/;\nimport 'a';")).toEqual(['a']);
    expect(specifiers("return /'/.test(x);\nimport 'a';")).toEqual(['a']);
    expect(specifiers("const half = a / b; // it's\nimport 'a';")).toEqual(['a']);
    expect(specifiers("export const from = 1;\nconst x = 'a';")).toEqual([]);
  });

  test('keeps positions', () => {
    const source = "a // b\n'c\\'d' /e\\/f/ `g${h}i`";
    expect(codeOnly(source)).toHaveLength(source.length);
    expect(codeOnly(source).split('\n')).toHaveLength(2);
  });
});
