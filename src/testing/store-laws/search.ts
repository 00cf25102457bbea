import type { StoredContext, StoredMessage } from '../../context/store/store.ts';
import { type AsyncLaw, must } from '../law.ts';
import { byNumber, type MakeLaw, message, NOTHING, same } from './store-checks.ts';

/** Words that a query language, a tokenizer or case folding would change. */
// biome-ignore format: a table of words
const ODD_WORDS: readonly string[] = [
  'plain', 'snake_case', '_private', '__init__', 'größe', 'grosse', 'é', 'e\u0301', '漢字', 'ひらがな', 'и', 'أهلا', '𝒳', '42', '3_141',
  'or', 'and', 'not', 'near', 'OR', 'AND', 'NOT', 'NEAR', 'Plain', 'straße', 'strasse', 'İ', 'i̇', '"', '"quoted"', "it's", 'a*', '^a', 'a:b',
  'a-b', 'words', 'rowid', '(', ')', '{x}', '+', 'a b', '', '\0', '\ud800', 'src/index.ts', '🧑‍🚀', 'x'.repeat(40_000), `${'x'.repeat(40_000)}y`,
];

export function searchLaws(law: MakeLaw): readonly AsyncLaw[] {
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
