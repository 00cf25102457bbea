import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { batch, failure, runNode, testFolder } from '../../../test/stores/support.ts';
import { sqliteStore } from '../index.ts';

const { newFile, remove } = testFolder();
afterAll(remove);

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
    expect(runNode(['--input-type=module', '--eval', code])).toContain('end');
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
