import type { AsyncLaw } from '../law.ts';
import { type MakeLaw, message, NOTHING, rejects, same } from './store-checks.ts';

export function writerLaws(law: MakeLaw): readonly AsyncLaw[] {
  return [
    law('a second writer is locked out until the first closes', async (store) => {
      const first = await store.open('a', 'write');
      await rejects(store.open('a', 'write'), 'locked');
      await first.commit({ ...NOTHING, state: 'of the first' });
      await first.close();
      const second = await store.open('a', 'write');
      same((await second.load()).state, 'of the first');
      await rejects(store.open('a', 'write'), 'locked');
    }),
    law('a closed writer writes nothing, also when another writes', async (store) => {
      const first = await store.open('a', 'write');
      await first.close();
      await rejects(first.commit({ ...NOTHING, state: 'too late' }), 'locked');
      const second = await store.open('a', 'write');
      await rejects(first.commit({ ...NOTHING, state: 'too late' }), 'locked');
      await first.close();
      await rejects(store.open('a', 'write'), 'locked');
      same((await second.load()).state, null);
    }),
    law('a reader may not commit', async (store) => {
      const writer = await store.open('a', 'write');
      const reader = await store.open('a', 'read');
      await rejects(reader.commit({ ...NOTHING, messages: [message('m', 1)] }), 'locked');
      same(await writer.load(), NOTHING);
    }),
    law('closing the store ends all leases', async (store) => {
      await store.open('a', 'write');
      await store.open('b', 'write');
      await store.close();
      await store.open('a', 'write');
      await store.open('b', 'write');
    }),
  ];
}
