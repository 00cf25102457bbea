import type { Store } from '../context/store/store.ts';
import type { AsyncLaw } from './law.ts';
import { keepingLaws } from './store-laws/keeping.ts';
import { readerLaws } from './store-laws/reader.ts';
import { searchLaws } from './store-laws/search.ts';
import { textLaws } from './store-laws/text.ts';
import { writerLaws } from './store-laws/writer.ts';

/**
 * Everything that a store owes its callers. `makeStore` returns an empty store for each law, and the law closes it.
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
