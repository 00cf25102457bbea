import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { filled, testFolder } from '../../../../test/stores/support.ts';
import { sqliteStore } from '../../index.ts';
import { APPLICATION_ID, MIGRATIONS, migrate } from './schema.ts';

const { newFile, remove } = testFolder();
afterAll(remove);

describe('versions', () => {
  const next = [...MIGRATIONS, 'ALTER TABLE contexts ADD COLUMN colour TEXT; CREATE TABLE more (a)'];

  test('an older file is brought to the newest, with what is in it', async () => {
    const file = newFile();
    await filled(file);
    const database = new DatabaseSync(file);
    migrate(database, file, { onNew: () => expect.unreachable(), migrations: next });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
    expect(database.prepare('SELECT messages, colour FROM contexts').get()).toEqual({ messages: 1, colour: null });
    database.close();
  });

  test('an upgrade that fails leaves the file in its version', async () => {
    const file = newFile();
    await filled(file);
    const database = new DatabaseSync(file);
    const migrations = [...next, 'CREATE TABLE more (again)'];
    expect(() => migrate(database, file, { onNew: () => undefined, migrations })).toThrow();
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'more'").get()).toEqual({ n: 0 });
    database.close();
    expect(await sqliteStore(file).contexts()).toHaveLength(1);
  });

  test('the application id spells our name', () => {
    expect(Buffer.from(APPLICATION_ID.toString(16), 'hex').toString()).toBe('prec');
  });
});
