/**
 * Checks who imports whom in `src/` against `layers.json`. Direction of imports is the one thing about a code base that
 * cannot be repaired later, so it is checked from the first commit. Tests may import anything.
 *
 * `node scripts/check-layers.ts [ROOT]` prints one line per violation and exits with 1 when there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOnly, type ImportStatement, importsOf, lineOf, UNREADABLE } from './source-text.ts';

interface Layer {
  /** Layers it may import; `*` for all. */
  readonly may: readonly string[];
  /** Layers it may import types of. */
  readonly types?: readonly string[];
  /** Outside modules it may import; `x/*` for all below x, `*` for all. */
  readonly outside: readonly string[];
  readonly outsideTypes?: readonly string[];
  /** Outside modules that single files may import besides. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

interface Order {
  /** Folders and files of one layer, lowest first. `*` is every file that is named nowhere else. */
  readonly tiers: readonly (readonly string[])[];
  /** Files that every tier may import. */
  readonly everywhere: readonly string[];
}

export interface LayerTable {
  readonly layers: Readonly<Record<string, Layer>>;
  readonly order?: Readonly<Record<string, Order>>;
  /** Code that must not stand in a layer, e.g. `Math.random`. Globals are Biome's part. */
  readonly forbidden?: Readonly<Record<string, readonly string[]>>;
}

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Every violation in `root/src`, in the order of files and lines. */
export function checkLayers(root: string, table: LayerTable): readonly Violation[] {
  return globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => checkFile(file, readFileSync(join(root, file), 'utf8'), table));
}

function checkFile(file: string, source: string, table: LayerTable): readonly Violation[] {
  const path = file.slice('src/'.length);
  const name = layerOf(path);
  const layer = table.layers[name];
  if (layer === undefined) {
    const known = Object.keys(table.layers).join(', ');
    return [{ file, line: 1, text: `is in no layer. Layers are: ${known}. Add it to layers.json or move the file` }];
  }
  const violations: Violation[] = [];
  for (const statement of importsOf(source)) {
    const text = checkImport(path, name, layer, statement, table);
    if (text !== null) violations.push({ file, line: statement.line, text });
  }
  for (const text of table.forbidden?.[name] ?? []) {
    const at = codeOnly(source).search(new RegExp(`(?<![\\w$.])${text.replaceAll('.', '\\s*\\.\\s*')}\\b`));
    if (at >= 0) violations.push({ file, line: lineOf(source, at), text: `may not use ${text}: ${name} is pure` });
  }
  return violations;
}

/** What is wrong with one import, or null. */
function checkImport(
  path: string,
  name: string,
  layer: Layer,
  statement: ImportStatement,
  table: LayerTable,
): string | null {
  const { specifier, typeOnly } = statement;
  if (specifier === UNREADABLE) {
    return layer.outside.includes('*') ? null : 'may not import a computed path: it cannot be checked. Use a literal';
  }
  if (!specifier.startsWith('.')) {
    const own = layer.files?.[path.slice(name.length + 1)] ?? [];
    const allowed = [...layer.outside, ...own, ...(typeOnly ? (layer.outsideTypes ?? []) : [])];
    if (allowed.some((pattern) => matches(pattern, specifier))) return null;
    return `may not import '${specifier}'. ${describe(name, layer, path)}`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  if (target.startsWith('..'))
    return `may not import '${specifier}': it is outside src. ${describe(name, layer, path)}`;
  const targetName = layerOf(target);
  if (targetName === name) return checkOrder(path, target, name, table.order?.[name]);
  if (targetName === 'index.ts') return `may not import '${specifier}': nothing in src imports the façade`;
  const may = [...layer.may, ...(typeOnly ? (layer.types ?? []) : [])];
  if (may.includes('*') || may.includes(targetName)) return null;
  return `may not import '${specifier}' (layer ${targetName}). ${describe(name, layer, path)}`;
}

function checkOrder(path: string, target: string, name: string, order: Order | undefined): string | null {
  if (order === undefined) return null;
  const inside = target.slice(name.length + 1);
  if (order.everywhere.includes(inside)) return null;
  const from = tierOf(path.slice(name.length + 1), order);
  const to = tierOf(inside, order);
  if (to <= from) return null;
  const names = order.tiers.map((tier) => tier.join(' ')).join(' ← ');
  return `may not import '${target}': it stands higher in ${name}. The order is ${names}; everywhere: ${order.everywhere.join(' ')}`;
}

function tierOf(inside: string, order: Order): number {
  const first = inside.split('/')[0] ?? '';
  const index = order.tiers.findIndex((tier) => tier.includes(first));
  return index >= 0 ? index : order.tiers.findIndex((tier) => tier.includes('*'));
}

/** The first folder below `src`, or the file itself when it stands directly in `src`. */
function layerOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function matches(pattern: string, specifier: string): boolean {
  if (pattern === '*' || pattern === specifier) return true;
  return pattern.endsWith('/*') && specifier.startsWith(pattern.slice(0, -1));
}

function describe(name: string, layer: Layer, path: string): string {
  const list = (values: readonly string[]): string => (values.length === 0 ? 'nothing' : values.join(', '));
  const own = layer.files?.[path.slice(name.length + 1)];
  const types = layer.types === undefined ? '' : `; types of: ${list(layer.types)}`;
  const outsideTypes = layer.outsideTypes === undefined ? '' : `; types of: ${list(layer.outsideTypes)}`;
  const file = own === undefined ? '' : `; this file also: ${list(own)}`;
  return `${name} may import: ${list(layer.may)}${types}; from outside: ${list(layer.outside)}${outsideTypes}${file}`;
}

function main(): void {
  const root = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  const table = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as LayerTable;
  const violations = checkLayers(root, table);
  for (const { file, line, text } of violations) console.error(`${file}:${line} ${text}`);
  if (violations.length === 0) console.log('layers: every import points the right way');
  else console.error(`\nlayers: ${violations.length} ${violations.length === 1 ? 'violation' : 'violations'}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
