import type { Batch, StoredMessage } from '../../src/context/store/store.ts';

/** Some batches fit a page of the file, some take many, some bring contents that are there already. */
const SIZES = [40, 700, 9_000, 120, 60_000];

/** The n-th batch of a context: who knows both knows all of it, so that a half of it is told from the whole. */
export function batchOf(context: string, n: number): Batch {
  const messages = Array.from({ length: 1 + (n % 3) }, (_, part): StoredMessage => {
    const size = SIZES[(n + part) % SIZES.length] ?? 0;
    const own = `${context} ${n} ${part} `.repeat(Math.ceil(size / 10));
    return {
      body: JSON.stringify({ n, part }),
      contents: [own, `shared ${n % 4} `.repeat(100)],
      at: 1_000 * n + part,
      chunks: [{ words: [`n${n}`, `part${part}`, 'everywhere'] }, { words: [`only${n}_${part}`] }],
    };
  });
  return { messages, events: [{ body: JSON.stringify({ event: n }), contents: [], at: 1_000 * n }], state: String(n) };
}
