import { existsSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { batch, failure, filled, testFolder } from '../../../../test/stores/support.ts';
import { sqliteStore } from '../../index.ts';

const { newFile, remove } = testFolder();
afterAll(remove);

test('a commit waits for another process, and the event loop is free meanwhile', async () => {
  const file = newFile();
  await filled(file);
  const store = sqliteStore(file);
  const context = await store.open('a', 'write');
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 5);
  setTimeout(() => other.exec('COMMIT'), 400);
  await Promise.all([context.commit(batch('first')), context.commit(batch('second'))]);
  clearInterval(ticking);
  other.close();
  expect(turns).toBeGreaterThan(2);
  const { messages } = await context.load();
  expect(messages.map(({ contents }) => contents[0])).toEqual(['something kept', 'first', 'second']);
  await store.close();
});

test('a file that stays busy is an error in the end; it can be read all the time', async () => {
  const file = newFile();
  await filled(file);
  const store = sqliteStore(file, { busyMs: 100 });
  const context = await store.open('a', 'write');
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const error = await failure(context.commit(batch('never')));
  expect(error.code).toBe('store');
  expect(error.message).toContain(`The store ${file} is busy`);
  expect((await context.load()).messages).toHaveLength(1);
  other.exec('ROLLBACK');
  other.close();
  await context.commit(batch('later'));
  expect((await context.load()).messages).toHaveLength(2);
  await store.close();
});

test('a context of a store that was closed says so', async () => {
  const store = sqliteStore(newFile());
  const [writer, reader] = [await store.open('a', 'write'), await store.open('a', 'read')];
  await store.close();
  expect((await failure(writer.commit(batch('late')))).code).toBe('locked');
  expect((await failure(reader.load())).message).toContain('has context a closed; open it again');
});

test('many stores make and open one new file at the same time', async () => {
  const file = newFile();
  const stores = Array.from({ length: 8 }, () => sqliteStore(file, { key: 'the same' }));
  await Promise.all(
    stores.map(async (store, n) => (await store.open(`context ${n}`, 'write')).commit(batch(`text ${n}`))),
  );
  expect(await stores[0]?.contexts()).toHaveLength(8);
  await Promise.all(stores.map((store) => store.close()));
});

test('a second store of one process leaves the locks of the first as they are', async ({ skip }) => {
  const file = newFile();
  const first = sqliteStore(file);
  const context = await first.open('a', 'write');
  await context.commit(batch('in the log'));
  // Closing a file drops every lock that the process has on it, and other processes rely on those.
  const locks = (): number =>
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((line) => line.includes(`:${statSync(file).ino} `)).length;
  skip(!existsSync('/proc/locks') || locks() === 0, 'the system does not show its locks');
  const second = sqliteStore(file);
  await second.contexts();
  await second.close();
  expect(locks()).toBe(1);
  await first.close();
  expect(locks()).toBe(0);
});
