import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { memoryStore } from '../context/store/memory-store.ts';
import type { Store } from '../context/store/store.ts';
import { storeLaws } from '../testing/index.ts';
import { sqliteStore } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'precis-laws-'));
let made = 0;
const file = (): string => join(folder, `${made++}.db`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: readonly (readonly [string, () => Store])[] = [
  ['memory', memoryStore],
  ['sqlite', () => sqliteStore(file())],
  ['sqlite, encrypted', () => sqliteStore(file(), { key: 'a key for tests' })],
];

describe.each(stores)('%s', (_name, makeStore) => {
  for (const law of storeLaws(makeStore)) it(law.name, () => law.run());
});
