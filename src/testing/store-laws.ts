import { PrecisError } from '../core/errors.ts';
import type { Batch, Store, StoredContext, StoredEvent, StoredMessage, StoredState } from '../core/store.ts';
import type { AsyncLaw } from './compaction-laws.ts';

/**
 * What every store owes its callers. `makeStore` gives an empty one each time; the laws close it.
 *
 * @example
 * ```ts
 * for (const law of storeLaws(() => memoryStore())) it(law.name, () => law.run());
 * ```
 */
export function storeLaws(makeStore: () => Store | Promise<Store>): readonly AsyncLaw[] {
  const law = (name: string, check: (store: Store) => Promise<void>): AsyncLaw => ({
    name,
    run: async () => {
      const store = await makeStore();
      try {
        await check(store);
      } finally {
        await store.close();
      }
    },
  });
  return [...keepingLaws(law), ...textLaws(law), ...writerLaws(law), ...readerLaws(law), ...searchLaws(law)];
}

type MakeLaw = (name: string, check: (store: Store) => Promise<void>) => AsyncLaw;

function keepingLaws(law: MakeLaw): readonly AsyncLaw[] {
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

/** Texts that some way of writing loses: each must come back exactly. */
const ODD_TEXTS: readonly (readonly [string, string])[] = [
  ['an empty text', ''],
  ['a NUL character', 'before\0after\0'],
  ['only NUL', '\0'],
  ['lone surrogates', 'high \ud83d, low \udc00, turned \udc00\ud83d'],
  ['lone surrogates and NUL', '\0\ud800'],
  ['a byte order mark', '\ufeffmarked\ufffe\uffff'],
  ['composed and decomposed letters', 'é e\u0301 Å \u212b ﬁ'],
  ['joined characters and other scripts', 'Grüße 漢字 🧑‍🚀🇺🇳 עברית \u202eabc\u202c'],
  ['every kind of line end', 'a\nb\r\nc\rd\u2028e\u2029f\u0085'],
  ['quotes and SQL', `'; DROP TABLE messages; -- "x" \\ %_ {"$c":0}`],
  ['control characters', String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 127)],
];

const LARGE_CHARS = 10_000_000;

function textLaws(law: MakeLaw): readonly AsyncLaw[] {
  const exactly = (name: string, text: string): AsyncLaw =>
    law(`${name} comes back exactly`, async (store) => {
      const context = await store.open(text, 'write');
      const odd: StoredEvent = { body: text, contents: [text, `${text}.`, text], at: 1 };
      await context.commit({ messages: [{ ...odd, chunks: [] }], events: [odd], state: text });
      const state = { messages: [{ ...odd, chunks: [] }], events: [odd], state: text };
      same(await context.load(), state);
      same(await context.messagesAt([0]), state.messages);
      same(
        (await store.contexts()).map(({ id }) => id),
        [text],
      );
    });
  return [
    ...ODD_TEXTS.map(([name, text]) => exactly(name, text)),
    law('texts that differ only in how they are written stay apart', async (store) => {
      const context = await store.open('a', 'write');
      const contents = ODD_TEXTS.flatMap(([, text]) => [text, text.normalize('NFD'), text.toWellFormed(), `${text}\0`]);
      await context.commit({ ...NOTHING, events: [{ body: '', contents, at: 1 }] });
      same((await context.load()).events[0]?.contents, contents);
    }),
    law('contents of ten megabytes come back exactly', async (store) => {
      const context = await store.open('a', 'write');
      const letters = 'a line of output, 漢字 ';
      const large = letters.repeat(Math.ceil(LARGE_CHARS / letters.length));
      await context.commit({ ...NOTHING, events: [{ body: '{"$c":0}', contents: [large, `${large}\ud800`], at: 1 }] });
      const [first, second] = (await context.load()).events[0]?.contents ?? [];
      must(first === large, 'the well-formed text changed');
      must(second === `${large}\ud800`, 'the text with a lone surrogate changed');
    }),
    law('times come back exactly', async (store) => {
      const context = await store.open('a', 'write');
      const times = [0, 1, 1_700_000_000_000, 1_700_000_000_000.25, -1, Number.MAX_SAFE_INTEGER];
      await context.commit({ ...NOTHING, events: times.map((at) => event('t', at)) });
      same(
        (await context.load()).events.map(({ at }) => at),
        times,
      );
    }),
  ];
}

function writerLaws(law: MakeLaw): readonly AsyncLaw[] {
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

function readerLaws(law: MakeLaw): readonly AsyncLaw[] {
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

/** Words that a query language, a tokenizer or a folding of letters would change. */
// biome-ignore format: a table of words
const ODD_WORDS: readonly string[] = [
  'plain', 'snake_case', '_private', '__init__', 'größe', 'grosse', 'é', 'e\u0301', '漢字', 'ひらがな', 'и', 'أهلا', '𝒳', '42', '3_141',
  'or', 'and', 'not', 'near', 'OR', 'AND', 'NOT', 'NEAR', 'Plain', 'straße', 'strasse', 'İ', 'i̇', '"', '"quoted"', "it's", 'a*', '^a', 'a:b',
  'a-b', 'words', 'rowid', '(', ')', '{x}', '+', 'a b', '', '\0', '\ud800', 'src/index.ts', '🧑‍🚀', 'x'.repeat(40_000), `${'x'.repeat(40_000)}y`,
];

function searchLaws(law: MakeLaw): readonly AsyncLaw[] {
  return [
    law('search finds the chunk that holds a word, and no other', async (store) => {
      const context = await store.open('a', 'write');
      await context.commit({
        ...NOTHING,
        messages: ODD_WORDS.map((word, n) => ({
          ...message(String(n), n),
          chunks: [{ words: ['everywhere'] }, { words: [] }, { words: ['everywhere', word, 'filler'] }],
        })),
      });
      for (const [n, word] of ODD_WORDS.entries()) {
        const found = await context.search([word], 10);
        same(
          found.map(({ message: at, chunk }) => [at, chunk]),
          [[n, 2]],
          JSON.stringify(word.slice(0, 50)),
        );
      }
      same((await context.search(['everywhere'], 1_000)).length, 2 * ODD_WORDS.length);
      same(await context.search(['nowhere'], 10), []);
    }),
    law('search finds any of the words, best first, at most so many', async (store) => {
      const context = await store.open('a', 'write');
      const chunk = (text: string): StoredMessage => ({ ...message('m', 1), chunks: [{ words: text.split(' ') }] });
      const filler = Array.from({ length: 20 }, (_, n) => chunk(`filler number${n} common`));
      await context.commit({
        ...NOTHING,
        messages: [chunk('rare common other'), chunk('rare second common'), ...filler, chunk('second other words')],
      });
      const found = await context.search(['rare', 'second', 'rare'], 10);
      same(found[0]?.message, 1, 'both words are better than one');
      same(found.map((one) => one.message).toSorted(byNumber), [0, 1, 22]);
      must(
        found.every(({ score }, n) => score <= (found[n - 1]?.score ?? Number.POSITIVE_INFINITY)),
        'scores rise',
      );
      same(
        (await context.search(['rare', 'common'], 10))[0]?.message === 2,
        false,
        'a rare word counts more than a common one',
      );
      same((await context.search(['common'], 5)).length, 5);
      same(await context.search(['common'], 0), []);
      same(await context.search([], 10), []);
    }),
    law('search sees what was committed later', async (store) => {
      const context = await store.open('a', 'write');
      const reader: StoredContext = await store.open('a', 'read');
      same(await reader.search(['late'], 10), []);
      await context.commit({ ...NOTHING, messages: [message('early', 1)] });
      await context.commit({ ...NOTHING, messages: [message('late', 2)] });
      same(
        (await reader.search(['late'], 10)).map((found) => found.message),
        [1],
      );
    }),
  ];
}

const NOTHING: Batch & StoredState = { messages: [], events: [], state: null };

function message(text: string, at: number): StoredMessage {
  return { body: JSON.stringify({ text }), contents: [`content of ${text}`], at, chunks: [{ words: text.split(' ') }] };
}

function event(text: string, at: number): StoredEvent {
  return { body: JSON.stringify({ event: text }), contents: [], at };
}

function asLoaded(stored: StoredMessage): StoredMessage {
  return { ...stored, chunks: [] };
}

function byNumber(left: number, right: number): number {
  return left - right;
}

async function rejects(work: Promise<unknown>, code?: string): Promise<void> {
  let error: unknown;
  try {
    await work;
  } catch (thrown) {
    error = thrown;
  }
  must(error !== undefined, 'it did not reject');
  must(
    code === undefined || (PrecisError.is(error) && error.code === code),
    `expected code ${code}, got ${String(error)}`,
  );
}

function same(actual: unknown, expected: unknown, what = 'not the same'): void {
  const [left, right] = [show(actual), show(expected)];
  must(left === right, `${what}: expected ${right.slice(0, 500)}, got ${left.slice(0, 500)}`);
}

/** JSON with sorted keys: lone surrogates are escaped in it, so that none is lost. */
function show(value: unknown): string {
  return JSON.stringify(value, (_, at: unknown) =>
    typeof at === 'object' && at !== null && !Array.isArray(at)
      ? Object.fromEntries(Object.entries(at).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : at,
  );
}

function must(holds: boolean, text: string): void {
  if (!holds) throw new Error(text);
}
