import type { Batch } from '../../context/store/store.ts';
import type { AsyncLaw } from '../law.ts';
import { asLoaded, event, type MakeLaw, message, NOTHING, rejects, same } from './store-checks.ts';

export function keepingLaws(law: MakeLaw): readonly AsyncLaw[] {
  return [...commitLaws(law), ...batchLaws(law), ...contextLaws(law)];
}

function commitLaws(law: MakeLaw): readonly AsyncLaw[] {
  return [
    law('a new context is empty', async (store) => {
      same(await (await store.open('new', 'write')).load(), { messages: [], events: [], state: null });
    }),
    law('load gives what was committed, in order', async (store) => {
      const context = await store.open('a', 'write');
      const batches = [0, 1, 2, 3].map((n) => ({
        messages: [message(`${n}a`, n), message(`${n}b`, n + 0.5)],
        events: [event(`${n}e`, n)],
        state: `state ${n}`,
      }));
      for (const batch of batches) await context.commit(batch);
      same(await context.load(), {
        messages: batches.flatMap(({ messages }) => messages.map(asLoaded)),
        events: batches.flatMap(({ events }) => events),
        state: 'state 3',
      });
    }),
    law('commits that are not waited for keep their order', async (store) => {
      const context = await store.open('a', 'write');
      const batches = Array.from({ length: 50 }, (_, n) => ({ ...NOTHING, messages: [message(String(n), n)] }));
      await Promise.all(batches.map((batch) => context.commit(batch)));
      same(
        (await context.load()).messages.map(({ at }) => at),
        batches.map((_, n) => n),
      );
    }),
    law('a state of null leaves the state, an empty one replaces it', async (store) => {
      const context = await store.open('a', 'write');
      await context.commit({ ...NOTHING, state: 'first' });
      await context.commit({ ...NOTHING, messages: [message('m', 1)] });
      same((await context.load()).state, 'first');
      await context.commit({ ...NOTHING, state: '' });
      same((await context.load()).state, '');
    }),
  ];
}

/** A batch is kept whole, as it was, or not at all. */
function batchLaws(law: MakeLaw): readonly AsyncLaw[] {
  return [
    law('a batch that is empty is kept as nothing', async (store) => {
      const context = await store.open('a', 'write');
      await context.commit(NOTHING);
      same(await context.load(), NOTHING);
    }),
    law('a batch that cannot be read to its end leaves nothing of it', async (store) => {
      const context = await store.open('a', 'write');
      const good: Batch = { messages: [message('good', 1)], events: [event('good', 1)], state: 'good' };
      await context.commit(good);
      const broken = {
        ...event('broken', 2),
        get body(): string {
          throw new Error('broken on purpose');
        },
      };
      await rejects(
        context.commit({ messages: [message('lost', 2)], events: [event('lost', 2), broken], state: 'lost' }),
      );
      same(await context.load(), { ...good, messages: good.messages.map(asLoaded) });
      same(await context.search(['lost'], 10), []);
      await context.commit({ ...NOTHING, events: [event('after', 3)] });
      same((await context.load()).events, [event('good', 1), event('after', 3)]);
    }),
    law('what was committed does not change with the objects it came from', async (store) => {
      const context = await store.open('a', 'write');
      const contents = ['as it was'];
      await context.commit({ ...NOTHING, events: [{ body: '{"$c":0}', contents, at: 1 }] });
      contents[0] = 'changed later';
      same((await context.load()).events[0]?.contents, ['as it was']);
    }),
  ];
}

function contextLaws(law: MakeLaw): readonly AsyncLaw[] {
  return [
    law('contexts are apart', async (store) => {
      const [left, right] = [await store.open('left', 'write'), await store.open('right', 'write')];
      await left.commit({ messages: [message('shared words', 1)], events: [event('l', 1)], state: 'left' });
      await right.commit({ messages: [message('shared', 2), message('shared words', 3)], events: [], state: 'right' });
      same((await left.load()).messages, [asLoaded(message('shared words', 1))]);
      same((await right.load()).state, 'right');
      same(
        (await left.search(['shared'], 10)).map((found) => found.message),
        [0],
      );
      same((await right.search(['shared'], 10)).map((found) => found.message).toSorted(), [0, 1]);
    }),
    law('contexts() counts messages and events, and knows the first and last time', async (store) => {
      const context = await store.open('counted', 'write');
      await context.commit({ messages: [message('m', 20), message('n', 10)], events: [event('e', 30)], state: null });
      await store.open('empty', 'write');
      same(
        (await store.contexts()).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        [
          { id: 'counted', messages: 2, events: 1, firstAt: 10, lastAt: 30 },
          { id: 'empty', messages: 0, events: 0, firstAt: null, lastAt: null },
        ],
      );
    }),
    law('what is kept is there after closing and opening again', async (store) => {
      const context = await store.open('a', 'write');
      await context.commit({ messages: [message('kept', 1)], events: [event('kept', 1)], state: 'kept' });
      const before = await context.load();
      await context.close();
      await store.close();
      same(await (await store.open('a', 'write')).load(), before);
    }),
  ];
}
