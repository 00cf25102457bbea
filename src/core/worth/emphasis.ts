import type { Fact } from '../facts/fact.ts';
import { type Entry, passageIn } from '../record/entry.ts';

/** Factors for passages that must not be crowded out, by message number and by passage. */
export type Emphasis = ReadonlyMap<number, ReadonlyMap<number, number>>;

export const NO_EMPHASIS: Emphasis = new Map();

/** The emphasis for every passage that states a critical fact. */
export function emphasisFor(facts: readonly Fact[], factor: (fact: Fact) => number): Emphasis {
  const places = new Map<number, Map<number, number>>();
  for (const fact of facts) {
    if (!fact.critical) continue;
    const { message, passage } = fact.source;
    const passages = places.get(message) ?? new Map<number, number>();
    places.set(message, passages.set(passage, Math.max(factor(fact), passages.get(passage) ?? 1)));
  }
  return places;
}

/** The factor for one passage of an entry; -1 is its heading. */
export function emphasisAt(emphasis: Emphasis, entry: Entry, passage: number): number {
  return emphasis.get(entry.number)?.get(passageIn(entry, passage)) ?? 1;
}
