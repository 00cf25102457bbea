import type { Vocabulary } from '../language/terms.ts';
import type { Voice } from '../language/voice.ts';
import type { WeightTable } from './weights.ts';

/** A use of terms in one passage or heading. */
export interface TermUse {
  readonly terms: readonly number[];
  /** Index of the entry. */
  readonly entry: number;
  readonly voice: Voice;
  /** How often its entry has printed this shape of line: repetition makes a voice quieter. */
  readonly alike: number;
}

/** How often each term is used, and by whom. */
export class TermStatistics {
  readonly #table: WeightTable;
  readonly #count: number[] = [];
  readonly #last: number[] = [];
  readonly #loudest: number[] = [];
  readonly #spoken: number[] = [];

  constructor(table: WeightTable) {
    this.#table = table;
  }

  see({ terms, entry, voice, alike }: TermUse): void {
    const loudness = this.#table.voice[voice] / Math.sqrt(alike);
    const isSpoken = this.#table.spoken.has(voice);
    for (const term of terms) {
      if (this.#last[term] !== entry) {
        this.#count[term] = (this.#count[term] ?? 0) + 1;
        if (isSpoken) this.#spoken[term] = (this.#spoken[term] ?? 0) + 1;
        this.#last[term] = entry;
      }
      if (loudness > (this.#loudest[term] ?? 0)) this.#loudest[term] = loudness;
    }
  }

  /** Worth of covering each term: rare, said by someone who matters, and used again later. */
  weights(vocabulary: Vocabulary, entries: number): Float64Array {
    const { leastRarity, reuse, mostReuses, sort } = this.#table;
    const weights = new Float64Array(vocabulary.size);
    const scale = Math.log(entries + 2);
    for (let term = 0; term < weights.length; term++) {
      const rarity = Math.max(leastRarity, Math.log((entries + 2) / (this.#count[term] ?? 1)) / scale);
      const reused = 1 + reuse * Math.min(mostReuses, (this.#spoken[term] ?? 1) - 1);
      weights[term] = sort[vocabulary.sortOf(term)] * rarity * reused * (this.#loudest[term] ?? 0);
    }
    return weights;
  }
}
