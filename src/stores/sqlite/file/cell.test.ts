import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { testFolder } from '../../../../test/stores/support.ts';
import { sqliteStore } from '../../index.ts';

const { newFile, remove } = testFolder();
afterAll(remove);

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
