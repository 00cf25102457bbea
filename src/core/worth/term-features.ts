import type { TermSort } from '../language/terms.ts';
import { type Feature, oneOf } from './feature.ts';
import { bitsOf } from './numbers.ts';
import { GROUPS, type Survey, type TermUses } from './survey.ts';

/** A term with its surroundings. */
export interface TermInContext {
  readonly survey: Survey;
  readonly text: string;
  readonly sort: TermSort;
  readonly uses: TermUses;
}

/** Every feature of a term. */
export const TERM_FEATURES: readonly Feature<TermInContext>[] = [
  ...oneOf<TermInContext, TermSort>('sort', ['name', 'number', 'word'], ({ sort }) => sort),
  feature('chars', 'length', ({ text }) => text.length),
  feature('digits', 'digits', ({ text }) => (text.match(/\d/g) ?? []).length),
  feature('slashes', 'slashes: it is a path or an address', ({ text }) => (text.match(/\//g) ?? []).length),
  feature('dots', 'dots', ({ text }) => (text.match(/\./g) ?? []).length),
  feature('capitals', 'capital letters', ({ text }) => (text.match(/\p{Lu}/gu) ?? []).length),
  feature('entries', 'entries that have it', ({ uses }) => uses.entries),
  feature('rarity', 'log2 of how few entries have it', ({ survey, uses }) => rarity(survey, uses)),
  ...GROUPS.map((group) =>
    feature(`by ${group}`, `entries in which a ${group} voice uses it`, ({ uses }) => uses.by[group]),
  ),
  feature('groups', 'groups of voices that use it', ({ uses }) => GROUPS.filter((group) => uses.by[group] > 0).length),
  feature('first', 'share of entries before its first use', ({ survey, uses }) => uses.first / size(survey)),
  feature('last', 'share of entries before its last use', ({ survey, uses }) => uses.last / size(survey)),
  feature('span', 'share of entries from its first to its last use', ({ survey, uses }) =>
    Math.max(0, (uses.last - uses.first) / size(survey)),
  ),
];

function feature(name: string, says: string, of: (item: TermInContext) => number): Feature<TermInContext> {
  return { name, says, of };
}

function size({ entries }: Survey): number {
  return Math.max(1, entries.length);
}

function rarity(survey: Survey, { entries }: TermUses): number {
  return bitsOf(survey.entries.length + 2) - bitsOf(Math.max(1, entries));
}
