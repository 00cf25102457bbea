import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { message, NOTHING, testFolder } from '../../../test/stores/support.ts';
import { sqliteStore } from '../index.ts';

const { newFile, remove } = testFolder();
afterAll(remove);

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
