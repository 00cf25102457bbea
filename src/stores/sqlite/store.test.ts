import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { PrecisError } from '../../core/errors.ts';
import type { Batch, StoredMessage } from '../../core/store.ts';
import { gc, type SqliteOptions, sqliteStore } from '../index.ts';
import { APPLICATION_ID, MIGRATIONS, migrate } from './schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'precis-sqlite-'));
let made = 0;
const newFile = (): string => join(folder, `${made++}.db`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOTHING: Batch = { messages: [], events: [], state: null };
const message = (text: string, at = 1): StoredMessage => ({
  body: '{"$c":0}',
  contents: [text],
  at,
  chunks: [{ words: text.split(' ').slice(0, 50) }],
});
const batch = (...texts: readonly string[]): Batch => ({ ...NOTHING, messages: texts.map((text) => message(text)) });

async function failure(work: Promise<unknown>): Promise<PrecisError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!PrecisError.is(error)) throw new Error(`expected a PrecisError, got ${String(error)}`);
  return error;
}

/** A file with one context in it, closed. */
async function filled(file: string, options: SqliteOptions = {}, ...texts: readonly string[]): Promise<void> {
  const store = sqliteStore(file, options);
  const context = await store.open('a', 'write');
  await context.commit(batch(...texts, 'something kept'));
  await store.close();
}

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
    expect(rows(file, 'SELECT count(*) AS n FROM contents')).toEqual([{ n: 1 }]);
  });

  test('can be read with any SQLite tool', async () => {
    const file = newFile();
    await filled(file);
    expect(rows(file, 'SELECT text FROM contents')).toEqual([{ text: 'something kept' }]);
  });
});

describe('a file that is not ours', () => {
  test('of text is refused and stays as it is', async () => {
    const file = newFile();
    writeFileSync(file, 'Not a database, but somebody needs it.\n'.repeat(100));
    const before = readFileSync(file);
    const error = await failure(sqliteStore(file).open('a', 'write'));
    expect(error.code).toBe('store');
    expect(error.message).toBe(`The store ${file} is not a SQLite file; it was left as it is`);
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

describe('versions', () => {
  const next = [...MIGRATIONS, 'ALTER TABLE contexts ADD COLUMN colour TEXT; CREATE TABLE more (a)'];

  test('an older file is brought to the newest, with what is in it', async () => {
    const file = newFile();
    await filled(file);
    const database = new DatabaseSync(file);
    migrate(database, file, () => expect.unreachable(), next);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
    expect(database.prepare('SELECT messages, colour FROM contexts').get()).toEqual({ messages: 1, colour: null });
    database.close();
  });

  test('an upgrade that fails leaves the file in its version', async () => {
    const file = newFile();
    await filled(file);
    const database = new DatabaseSync(file);
    expect(() => migrate(database, file, () => undefined, [...next, 'CREATE TABLE more (again)'])).toThrow();
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'more'").get()).toEqual({ n: 0 });
    database.close();
    expect(await sqliteStore(file).contexts()).toHaveLength(1);
  });

  test('the application id spells our name', () => {
    expect(Buffer.from(APPLICATION_ID.toString(16), 'hex').toString()).toBe('prec');
  });
});

describe('leases', () => {
  const clocked = (file: string, clock: { now: number }) =>
    sqliteStore(file, { now: () => clock.now, leaseMs: 30_000 });

  test('who writes, since when and until when, is said', async () => {
    const file = newFile();
    const clock = { now: Date.UTC(2026, 0, 2, 3, 4, 5) };
    const [one, other] = [clocked(file, clock), clocked(file, clock)];
    await one.open('a', 'write');
    const error = await failure(other.open('a', 'write'));
    expect(error.code).toBe('locked');
    expect(error.message).toContain(`process ${process.pid} on `);
    expect(error.message).toContain('since 2026-01-02T03:04:05.000Z, until 2026-01-02T03:04:35.000Z');
    expect(error.data).toMatchObject({ id: 'a', pid: process.pid, until: clock.now + 30_000 });
    await Promise.all([one.close(), other.close()]);
  });

  test('one that has ended can be taken, and the former holder then writes nothing', async () => {
    const file = newFile();
    const clock = { now: 1_000 };
    const [one, other] = [clocked(file, clock), clocked(file, clock)];
    const first = await one.open('a', 'write');
    await first.commit(batch('of the first'));
    clock.now += 29_999;
    expect((await failure(other.open('a', 'write'))).code).toBe('locked');
    clock.now += 1;
    const second = await other.open('a', 'write');
    const error = await failure(first.commit(batch('lost')));
    expect(error.code).toBe('locked');
    expect(error.message).toContain('The lease of context a was lost');
    await second.commit(batch('of the second'));
    await first.close();
    expect((await failure(one.open('a', 'write'))).code).toBe('locked');
    await second.close();
    expect((await failure(first.commit(batch('lost')))).code).toBe('locked');
    const { messages } = await (await one.open('a', 'read')).load();
    expect(messages.map(({ contents }) => contents[0])).toEqual(['of the first', 'of the second']);
    await Promise.all([one.close(), other.close()]);
  });

  test('one that has ended and that nobody took is good for another commit', async () => {
    const clock = { now: 1_000 };
    const store = clocked(newFile(), clock);
    const context = await store.open('a', 'write');
    clock.now += 1_000_000;
    await context.commit(batch('late'));
    expect((await failure(store.open('a', 'write'))).code).toBe('locked');
    await store.close();
  });

  test('a commit renews it', async () => {
    const clock = { now: 1_000 };
    const store = clocked(newFile(), clock);
    const context = await store.open('a', 'write');
    for (let n = 0; n < 5; n++) {
      clock.now += 29_000;
      await context.commit(batch(String(n)));
      expect((await failure(store.open('a', 'write'))).code).toBe('locked');
    }
    await store.close();
  });

  test('a writer that has nothing to write keeps it by a timer', async () => {
    const store = sqliteStore(newFile(), { leaseMs: 300 });
    await store.open('a', 'write');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await failure(store.open('a', 'write'))).code).toBe('locked');
    await store.close();
  });

  test('an open context keeps no process alive', () => {
    const module = fileURLToPath(new URL('../index.ts', import.meta.url));
    const code = `import { sqliteStore } from ${JSON.stringify(module)}; await sqliteStore(${JSON.stringify(newFile())}).open('a', 'write'); console.log('end');`;
    expect(run(['--input-type=module', '--eval', code])).toContain('end');
  });

  test('a context that somebody added to behind our back is not written to', async () => {
    const file = newFile();
    const store = sqliteStore(file);
    const context = await store.open('a', 'write');
    await context.commit(batch('ours'));
    const stranger = new DatabaseSync(file);
    stranger.exec('UPDATE contexts SET messages = messages + 1');
    stranger.close();
    expect((await failure(context.commit(batch('lost')))).code).toBe('locked');
    await store.close();
  });
});

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

describe('size', () => {
  test('a commit over maxBytes writes nothing, and smaller ones go on', async () => {
    const file = newFile();
    const store = sqliteStore(file, { maxBytes: 300_000 });
    const context = await store.open('a', 'write');
    await context.commit(batch('x'.repeat(100_000)));
    const error = await failure(context.commit({ ...batch('y'.repeat(300_000), 'lost'), state: 'lost' }));
    expect(error.code).toBe('store');
    expect(error.message).toContain(`${file} would grow to `);
    expect(error.message).toContain('over `maxBytes` 300000');
    await context.commit(batch('small'));
    const { messages, state } = await context.load();
    expect(messages.map(({ contents }) => contents[0]?.length)).toEqual([100_000, 5]);
    expect(state).toBeNull();
    expect(await context.search(['lost'], 5)).toEqual([]);
    await store.close();
    expect(statSync(file).size).toBeLessThanOrEqual(300_000);
  });

  const output = (name: string): string => `${name} ${'output '.repeat(20_000)}`;

  /** Three contexts of one age each; `shared` is in all of them. */
  async function three(file: string, clock: { now: number }) {
    const store = sqliteStore(file, { now: () => clock.now });
    for (const [n, id] of ['oldest', 'older', 'newest'].entries()) {
      clock.now = 1_000 * (n + 1);
      const context = await store.open(id, 'write');
      const texts = [output(id), output('shared')];
      await context.commit({ ...NOTHING, messages: texts.map((text) => message(text, clock.now)) });
      await context.close();
    }
    clock.now = 10_000;
    return store;
  }

  test('gc removes contexts by age with what only they use, and gives the room back', async () => {
    const file = newFile();
    const store = await three(file, { now: 0 });
    const before = statSync(file).size;
    const report = await store.gc({ olderThanMs: 7_500, dryRun: false });
    expect(report.removed.map(({ id, messages }) => [id, messages])).toEqual([
      ['oldest', 2],
      ['older', 2],
    ]);
    expect(report.contents).toEqual({ count: 2, bytes: output('oldest').length + output('older').length });
    expect(report.isShrunk).toBe(true);
    expect(report.bytesBefore - report.bytesAfter).toBeGreaterThan(0.95 * report.contents.bytes);
    expect(statSync(file).size).toBe(report.bytesAfter);
    expect(statSync(`${file}-wal`).size).toBe(0);
    expect(statSync(file).size).toBeLessThan(report.bytesBefore);
    expect(before).toBeGreaterThan(0);
    expect((await store.contexts()).map(({ id }) => id)).toEqual(['newest']);
    const { messages } = await (await store.open('newest', 'read')).load();
    expect(messages.map(({ contents }) => contents[0])).toEqual([output('newest'), output('shared')]);
    await store.close();
  });

  test('a dry run says the same and changes nothing', async () => {
    const file = newFile();
    const store = await three(file, { now: 0 });
    const all = async () => JSON.stringify(await (await store.open('older', 'read')).load());
    const before = [await all(), JSON.stringify(await store.contexts())];
    const dry = await gc(store, { olderThanMs: 7_500, dryRun: true });
    expect([await all(), JSON.stringify(await store.contexts())]).toEqual(before);
    const wet = await gc(store, { olderThanMs: 7_500, dryRun: false });
    expect(wet.removed).toEqual(dry.removed);
    expect(wet.contents).toEqual(dry.contents);
    expect(dry.isShrunk).toBe(false);
    await store.close();
  });

  test('gc to a size removes the oldest, and no more than it takes', async () => {
    const file = newFile();
    const store = await three(file, { now: 0 });
    await store.close();
    const size = statSync(file).size;
    const report = await gc(file, { maxBytes: size - 10_000, dryRun: false });
    expect(report.removed.map(({ id }) => id)).toEqual(['oldest']);
    expect(statSync(file).size).toBeLessThanOrEqual(size - 10_000);
    expect((await gc(file, { maxBytes: size, dryRun: false })).removed).toEqual([]);
  });

  test('gc leaves a context that is being written to, and contexts that were not named', async () => {
    const clock = { now: 0 };
    const store = await three(newFile(), clock);
    const writer = await store.open('oldest', 'write');
    const report = await gc(store, { contexts: ['oldest', 'older'], dryRun: false });
    expect(report.held).toEqual(['oldest']);
    expect(report.removed.map(({ id }) => id)).toEqual(['older']);
    await writer.commit(batch('goes on'));
    expect((await store.contexts()).map(({ id }) => id)).toEqual(['oldest', 'newest']);
    await store.close();
  });

  test('a writer whose lease ended and whose context was removed writes nothing, also when there is a new one', async () => {
    const clock = { now: 0 };
    const store = await three(newFile(), clock);
    const writer = await store.open('older', 'write');
    clock.now += 1_000_000;
    await gc(store, { contexts: ['older'], dryRun: false });
    expect((await failure(writer.commit(batch('lost')))).code).toBe('locked');
    const next = await store.open('older', 'write');
    expect((await failure(writer.commit(batch('lost')))).code).toBe('locked');
    expect((await next.load()).messages).toEqual([]);
    await store.close();
  });

  test('gc without a choice removes nobody; of an encrypted file it needs the key', async () => {
    const file = newFile();
    await filled(file, { key: 'k' });
    expect((await failure(gc(file, { dryRun: true }))).message).toContain('is encrypted');
    expect((await gc(file, { key: 'k', dryRun: false })).removed).toEqual([]);
    expect((await gc(file, { key: 'k', contexts: ['a'], dryRun: false })).removed).toHaveLength(1);
  });
});

describe('search', () => {
  test('no words are too many or too odd for a query', async () => {
    const store = sqliteStore(newFile());
    const context = await store.open('a', 'write');
    const words = Array.from({ length: 2_000 }, (_, n) => `word${n}`);
    await context.commit({ ...NOTHING, messages: [{ ...message('m'), chunks: [{ words: ['word1999'] }] }] });
    expect(await context.search(words, 5)).toHaveLength(1);
    expect(await context.search(words, Number.POSITIVE_INFINITY)).toHaveLength(1);
    await store.close();
  });

  test.each([{}, { key: 'k' }])('any word is found, and only where it stands (%o)', async (options) => {
    const store = sqliteStore(newFile(), { synchronous: 'normal', ...options });
    const context = await store.open('a', 'write');
    let at = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 6 }), { minLength: 2, maxLength: 5 }),
        async (words) => {
          const tagged = words.map((word) => `${at}${word}`);
          await context.commit({
            ...NOTHING,
            messages: tagged.map((word) => ({ ...message('m'), chunks: [{ words: [word] }] })),
          });
          for (const [n, word] of tagged.entries())
            expect((await context.search([word], 9)).map((found) => found.message)).toEqual([at + n]);
          at += words.length;
        },
      ),
      { numRuns: 60 },
    );
    await store.close();
  });
});

test('texts of any code units come back as they were', async () => {
  const store = sqliteStore(newFile(), { synchronous: 'normal' });
  const context = await store.open('a', 'write');
  let events = 0;
  const units = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((codes) => String.fromCharCode(...codes));
  await fc.assert(
    fc.asyncProperty(units, fc.array(units, { maxLength: 4 }), units, async (body, contents, state) => {
      await context.commit({ messages: [], events: [{ body, contents, at: 1 }], state });
      expect(await context.loadAfter(0, events)).toEqual({ messages: [], events: [{ body, contents, at: 1 }], state });
      events += 1;
    }),
    { numRuns: 100 },
  );
  await store.close();
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
  const module = fileURLToPath(new URL('../index.ts', import.meta.url));
  const code = `await import(${JSON.stringify(module)}); console.log(process.moduleLoadList.filter((name) => /sqlite/.test(name)).length)`;
  expect(run(['--input-type=module', '--eval', code]).trim()).toBe('0');
});

function run(parameters: readonly string[]): string {
  return execFileSync(process.execPath, parameters, { encoding: 'utf8', timeout: 15_000 });
}

function rows(file: string, sql: string): readonly unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
