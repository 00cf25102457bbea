import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { failure, filled, testFolder } from '../../../../test/stores/support.ts';
import { type SqliteOptions, sqliteStore } from '../../index.ts';

const { folder, newFile, remove } = testFolder();
afterAll(remove);

describe('encryption', () => {
  const key = 'correct horse battery staple';
  const secret = 'SECRETPHRASE';
  const anyCase = new RegExp(secret, 'i');

  test('leaves no plain text in the file or in the log beside it', async () => {
    const file = newFile();
    const store = sqliteStore(file, { key });
    const context = await store.open(`id ${secret}`, 'write');
    const piece = { body: JSON.stringify(secret), contents: [`${secret} ${'long '.repeat(100)}`], at: 1 };
    await context.commit({
      messages: [{ ...piece, chunks: [{ words: [secret.toLowerCase(), secret] }] }],
      events: [piece],
      state: secret,
    });
    const rawBytes = (): string =>
      readdirSync(folder)
        .filter((name) => join(folder, name).startsWith(file))
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('');
    expect(rawBytes().length).toBeGreaterThan(10_000);
    expect(rawBytes()).not.toMatch(anyCase);
    expect(rawBytes()).not.toContain(key);
    // UTF-16 as well.
    expect(rawBytes().replaceAll('\0', '')).not.toMatch(anyCase);
    expect(await context.search([secret], 5)).toHaveLength(1);
    await store.close();
    expect(rawBytes()).not.toMatch(anyCase);
    // The same, to show that the search would have found it.
    const plain = newFile();
    await filled(plain, {}, secret);
    expect(readFileSync(plain, 'latin1')).toMatch(anyCase);
  });

  test('needs the key: another, none, or one for a plain file are refused in one sentence', async () => {
    const [encrypted, plain] = [newFile(), newFile()];
    await filled(encrypted, { key });
    await filled(plain);
    const said = async (file: string, options: SqliteOptions): Promise<string> => {
      const error = await failure(sqliteStore(file, options).open('a', 'read'));
      expect(error.code).toBe('store');
      return error.message.replace(file, 'X');
    };
    expect(await said(encrypted, { key: 'wrong' })).toBe(
      'The store X was encrypted with another key than the one given',
    );
    expect(await said(encrypted, {})).toBe('The store X is encrypted: give the key it was made with');
    expect(await said(plain, { key })).toBe(
      'The store X is not encrypted, though a key was given: leave the key out, or take a new file',
    );
    expect((await (await sqliteStore(encrypted, { key }).open('a', 'read')).load()).messages).toHaveLength(1);
  });

  test('notices rows that were changed or moved', async () => {
    const file = newFile();
    await filled(file, { key }, 'first', 'second');
    const database = new DatabaseSync(file);
    database.exec(`UPDATE messages SET body = (SELECT body FROM messages WHERE seq = 1) WHERE seq = 0`);
    database.close();
    const store = sqliteStore(file, { key });
    const error = await failure((await store.open('a', 'read')).load());
    expect(error.message).toBe(`The store ${file} is damaged or was changed by somebody without the key: messages 1 0`);
    await store.close();
  });

  test('an empty key is no key, and is refused', () => {
    expect(() => sqliteStore(newFile(), { key: '' })).toThrow(/Expected `key` to be text that is not empty/);
  });
});
