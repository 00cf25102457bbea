import type { StoredState } from '../../context/store/store.ts';
import { type AsyncLaw, must } from '../law.ts';
import { asLoaded, event, type MakeLaw, message, NOTHING, same } from './store-checks.ts';

export function readerLaws(law: MakeLaw): readonly AsyncLaw[] {
  return [
    law('a reader opened before the writer sees its commits', async (store) => {
      const reader = await store.open('a', 'read');
      same(await reader.load(), NOTHING);
      const writer = await store.open('a', 'write');
      await writer.commit({ messages: [message('m', 1)], events: [], state: 's' });
      same(await reader.load(), { messages: [asLoaded(message('m', 1))], events: [], state: 's' });
    }),
    law('loadAfter gives what is new', async (store) => {
      const writer = await store.open('a', 'write');
      const reader = await store.open('a', 'read');
      const all = { messages: [0, 1, 2].map((n) => message(`m${n}`, n)), events: [0, 1].map((n) => event(`e${n}`, n)) };
      await writer.commit({ ...all, state: 's' });
      const after = (messages: number, events: number): StoredState => ({
        messages: all.messages.slice(messages).map(asLoaded),
        events: all.events.slice(events),
        state: 's',
      });
      for (const [messages, events] of [
        [0, 0],
        [2, 1],
        [3, 0],
        [3, 2],
        [9, 9],
      ] as const)
        same(await reader.loadAfter(messages, events), after(messages, events));
    }),
    law('a reader never sees half of a batch', async (store) => {
      const writer = await store.open('a', 'write');
      const reader = await store.open('a', 'read');
      const writes = (async () => {
        for (let n = 1; n <= 50; n++)
          await writer.commit({
            messages: [message('m', n), message('n', n)],
            events: [event('e', n)],
            state: String(n),
          });
      })();
      for (let look = 0; look < 50; look++) {
        const { messages, events, state } = await reader.load();
        must(messages.length === 2 * events.length && Number(state ?? 0) === events.length, 'half of a batch was seen');
      }
      await writes;
    }),
    law('messagesAt gives messages by place, in the order asked, and skips places there are not', async (store) => {
      const context = await store.open('a', 'write');
      await context.commit({ ...NOTHING, messages: [0, 1, 2].map((n) => message(`m${n}`, n)) });
      same(
        (await context.messagesAt([2, 0, 7, -1, 2])).map(({ at }) => at),
        [2, 0, 2],
      );
      same(await context.messagesAt([]), []);
    }),
  ];
}
