import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import {
  batch,
  failure,
  filled,
  message,
  NOTHING,
  rowsOf,
  runNode,
  testFolder,
} from '../../../../test/stores/support.ts';
import { sqliteStore } from '../../index.ts';
import { MIGRATIONS } from './schema.ts';

const { folder, newFile, remove } = testFolder();
afterAll(remove);

describe('the file', () => {
  test.each([0o000, 0o022, 0o077])(
    'is for its owner alone, and so are the files beside it, with umask %o',
    async (mask) => {
      const file = newFile();
      const before = process.umask(mask);
      try {
        const store = sqliteStore(file);
        await (await store.open('a', 'write')).commit(batch('text'));
        const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(file));
        expect(names.length).toBe(3);
        for (const name of names) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
        await store.close();
      } finally {
        process.umask(before);
      }
    },
  );

  test('keeps the mode it has', async () => {
    const file = newFile();
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    await filled(file);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test('is one file again when it is closed', async () => {
    const file = newFile();
    await filled(file);
    expect(readdirSync(folder).filter((name) => join(folder, name).startsWith(file))).toHaveLength(1);
  });

  test('keeps every content once', async () => {
    const file = newFile();
    const large = 'the same long output '.repeat(10_000);
    const store = sqliteStore(file);
    for (const id of ['a', 'b', 'c']) {
      const context = await store.open(id, 'write');
      for (let n = 0; n < 10; n++) await context.commit({ ...NOTHING, events: [{ ...message(large), at: n }] });
    }
    await store.close();
    expect(statSync(file).size).toBeLessThan(2 * large.length);
    expect(rowsOf(file, 'SELECT count(*) AS n FROM contents')).toEqual([{ n: 1 }]);
  });

  test('can be read with any SQLite tool', async () => {
    const file = newFile();
    await filled(file);
    expect(rowsOf(file, 'SELECT text FROM contents')).toEqual([{ text: 'something kept' }]);
  });
});

test('a file whose writer died while it folded in the log is opened with the log', async () => {
  const [file, copy] = [newFile(), newFile()];
  const store = sqliteStore(file);
  const context = await store.open('a', 'write');
  // Large enough for the file to grow, so that its first page is in the log too.
  await context.commit(batch('in the log '.repeat(10_000)));
  for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
  await store.close();
  // The first page is of the new size already, the others are not there yet: alone the file would be damaged.
  const bytes = readFileSync(copy);
  bytes.writeUInt32BE(bytes.readUInt32BE(28) + 50, 28);
  writeFileSync(copy, bytes);
  const again = sqliteStore(copy);
  expect((await (await again.open('a', 'read')).load()).messages).toHaveLength(1);
  await again.close();
});

describe('a file that is not ours', () => {
  test('of text is refused and stays as it is', async () => {
    const file = newFile();
    writeFileSync(file, 'Not a database, but somebody needs it.\n'.repeat(100));
    const before = readFileSync(file);
    const error = await failure(sqliteStore(file).open('a', 'write'));
    expect(error.code).toBe('store');
    expect(error.message).toContain(`The store ${file} is not a SQLite file, or it is damaged; it was left as it is`);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each([0, 1_234])('of another program, with application id %i, is refused and stays as it is', async (id) => {
    const file = newFile();
    const other = new DatabaseSync(file);
    other.exec(`CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine'); PRAGMA application_id = ${id}`);
    other.close();
    const before = readFileSync(file);
    const error = await failure(sqliteStore(file).open('a', 'write'));
    expect(error.message).toBe(`The store ${file} is a SQLite file of another program; it was left as it is`);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('of a newer version is refused with both versions', async () => {
    const file = newFile();
    await filled(file);
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 7');
    database.close();
    const error = await failure(sqliteStore(file).contexts());
    expect(error.code).toBe('store');
    expect(error.message).toContain(`${file} is of version 7`);
    expect(error.message).toContain(`up to ${MIGRATIONS.length}`);
  });

  test('is a folder, or in a folder that is not there', async () => {
    expect((await failure(sqliteStore(folder).contexts())).message).toBe(
      `The store ${folder} is a folder; give the path of a file`,
    );
    const missing = join(folder, 'none', 'x.db');
    expect((await failure(sqliteStore(missing).contexts())).message).toBe(
      `The store ${missing} cannot be made: its folder does not exist`,
    );
  });

  test('is damaged: the error says so', async () => {
    const file = newFile();
    await filled(file, {}, 'x'.repeat(100_000));
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096);
    writeFileSync(file, bytes);
    const error = await failure(sqliteStore(file).open('a', 'write'));
    expect(error.code).toBe('store');
    expect(error.message).toContain(`${file} is damaged`);
  });
});

test.each([
  [{ leaseMs: 0 }, 'leaseMs'],
  [{ busyMs: -1 }, 'busyMs'],
  [{ maxBytes: Number.NaN }, 'maxBytes'],
  [{ synchronous: 'off' as 'full' }, 'synchronous'],
])('options are checked: %o', (options, name) => {
  expect(() => sqliteStore(newFile(), options)).toThrow(new RegExp(`Expected \`${name}\` to be`));
  expect(() => sqliteStore(':memory:')).toThrow(/memoryStore/);
});

test('importing the module loads no SQLite', () => {
  const module = fileURLToPath(new URL('../../index.ts', import.meta.url));
  const code = `await import(${JSON.stringify(module)}); console.log(process.moduleLoadList.filter((name) => /sqlite/.test(name)).length)`;
  expect(runNode(['--input-type=module', '--eval', code]).trim()).toBe('0');
});
