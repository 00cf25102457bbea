import type { Vocabulary } from '../language/terms.ts';
import type { WeightTable } from './weights.ts';

/** A term said by a voice of at least this weight was spoken, not only printed. */
const SPOKEN = 1;
/** A term in half of all entries is still worth a little. */
const LEAST_RARITY = 0.05;
const MOST_REUSES = 6;

/** How often and by whom each term is used. */
export class TermStatistics {
  readonly #count: number[] = [];
  readonly #last: number[] = [];
  readonly #voice: number[] = [];
  readonly #spoken: number[] = [];

  /** Terms of one passage of an entry, said by a voice of this weight. */
  see(terms: readonly number[], entry: number, voice: number): void {
    for (const term of terms) {
      if (this.#last[term] !== entry) {
        this.#count[term] = (this.#count[term] ?? 0) + 1;
        if (voice >= SPOKEN) this.#spoken[term] = (this.#spoken[term] ?? 0) + 1;
        this.#last[term] = entry;
      }
      if (voice > (this.#voice[term] ?? 0)) this.#voice[term] = voice;
    }
  }

  /** Worth of covering each term: rare, said by someone who matters, and used again later. */
  weights(vocabulary: Vocabulary, entries: number, table: WeightTable): Float64Array {
    const weights = new Float64Array(vocabulary.size);
    const scale = Math.log(entries + 2);
    for (let term = 0; term < weights.length; term++) {
      const rarity = Math.max(LEAST_RARITY, Math.log((entries + 2) / (this.#count[term] ?? 1)) / scale);
      const reuse = 1 + table.reuse * Math.min(MOST_REUSES, (this.#spoken[term] ?? 1) - 1);
      weights[term] = table.sort[vocabulary.sortOf(term)] * rarity * reuse * (this.#voice[term] ?? 0);
    }
    return weights;
  }
}
