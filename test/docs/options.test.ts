/** The page of options names every option of the source and no other, and its sizes are those that are computed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitsFor } from '../../src/core/tokens/window.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/options.md');

function membersOf(source: string, name: string): readonly string[] {
  const body = new RegExp(`export interface ${name}\\b[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1] ?? '');
}

test('every option is on the page, and every option on the page is one', () => {
  const options = [
    ...membersOf(read('src/core/options.ts'), 'CompactOptions'),
    ...membersOf(read('src/core/tokens/window.ts'), 'LimitsInput'),
  ];
  const named = [...page.matchAll(/^\| `(\w+)` /gm)].map((match) => match[1] ?? '');
  expect(options.length).toBeGreaterThan(10);
  expect(named.toSorted()).toEqual(options.toSorted());
});

test('every option of a store is on its page, and every option on the page is one', () => {
  const named = [...read('docs/stores.md').matchAll(/^\| `(\w+)` +\| .*$/gm)].map((match) => match[1] ?? '');
  const tables = ['contents', 'uses', 'contexts', 'meta'];
  const options = [
    ...membersOf(read('src/stores/sqlite/options.ts'), 'SqliteOptions'),
    ...membersOf(read('src/stores/sqlite/gc.ts'), 'GcOptions'),
  ];
  expect(options.length).toBe(10);
  expect(new Set(named)).toEqual(new Set([...options, ...tables]));
});

test('the sizes of the page are those that are computed', () => {
  const rows = [
    ...page.matchAll(/^\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\|$/gm),
  ];
  expect(rows.length).toBe(4);
  for (const [, ...cells] of rows) {
    const [contextWindow = 0, ...sizes] = cells.map((cell) => Number(cell.replaceAll(',', '')));
    const limits = limitsFor({ models: [{ id: 'any', contextWindow, maxOutput: null }] });
    const tail = limits.tailTokens;
    expect(sizes).toEqual([limits.window, limits.threshold, limits.foldTarget, limits.condenseTarget, tail]);
  }
});
