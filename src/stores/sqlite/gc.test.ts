import { statSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { batch, failure, filled, message, NOTHING, testFolder } from '../../../test/stores/support.ts';
import { gc, sqliteStore } from '../index.ts';

const { newFile, remove } = testFolder();
afterAll(remove);

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
