import type { StoredEvent } from '../../context/store/store.ts';
import { type AsyncLaw, must } from '../law.ts';
import { event, type MakeLaw, NOTHING, same } from './store-checks.ts';

/** Texts that some encoding loses: each must come back exactly. */
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

export function textLaws(law: MakeLaw): readonly AsyncLaw[] {
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
