import { isOrder, PROSE } from '../language/classify.ts';
import { VOICES, type Voice } from '../language/voice.ts';
import { VERBS, type Verb } from '../record/calls/tool-verbs.ts';
import type { Entry } from '../record/entry.ts';
import { type Feature, oneOf } from './feature.ts';
import { bitsOf } from './numbers.ts';
import { GROUPS, type Group, type Place, type Survey, type SurveyedPassage } from './survey.ts';

/** A passage or a heading with its surroundings. */
export interface PassageInContext {
  readonly survey: Survey;
  readonly passage: SurveyedPassage;
  readonly entry: Entry;
  readonly place: Place;
  readonly terms: TermSums;
  /** The same for the heading of its entry. */
  readonly heading: TermSums;
  /** Share of the new terms of its entry that user, agent or calls use later: how much the work depends on it. */
  readonly dependence: number;
}

/** What the terms of a passage say together. */
interface TermSums {
  readonly names: number;
  readonly numbers: number;
  /** Rarity: log2 of how few entries have the term. */
  readonly rarest: number;
  readonly rarestName: number;
  readonly rarity: number;
  /** How many terms each group uses in later entries, and in earlier ones. */
  readonly later: Readonly<Record<Group, number>>;
  readonly earlier: Readonly<Record<Group, number>>;
  /** Later entries in which user, agent or calls use a term: the most for one term, and all together. */
  readonly mostReused: number;
  readonly reuses: number;
  /** Terms that several groups use. */
  readonly shared: number;
  /** Terms that occur here first, and those of them that user, agent or calls use later. */
  readonly fresh: number;
  readonly freshReused: number;
}

type Of = (item: PassageInContext) => number;

/** Every feature of a passage. A heading is a passage that says that a call was made. */
export const PASSAGE_FEATURES: readonly Feature<PassageInContext>[] = [
  feature('heading', 'it is the heading of a call or a note', ({ passage }) => flag(passage.index < 0)),
  feature('chars', 'length', ({ passage }) => passage.words.length),
  feature('terms', 'different terms', ({ passage }) => passage.terms.length),
  feature('names', 'terms that are names', ({ terms }) => terms.names),
  feature('numbers', 'terms that are short numbers', ({ terms }) => terms.numbers),
  feature('from start', 'entries before its own', ({ passage }) => passage.entry),
  feature('to end', 'entries after its own', ({ survey, passage }) => survey.entries.length - 1 - passage.entry),
  feature(
    'place in session',
    'share of entries before its own',
    ({ survey, passage }) => passage.entry / Math.max(1, survey.entries.length),
  ),
  feature('turn', 'times the user spoke up to here', ({ place }) => place.turn),
  feature('turns left', 'times the user speaks after it', ({ survey, place }) => survey.turns - place.turn),
  feature('place in entry', 'passages of its entry before it', ({ passage }) => passage.index),
  feature(
    'to end of entry',
    'passages of its entry after it',
    ({ entry, passage }) => entry.passages.length - 1 - passage.index,
  ),
  feature('passages of entry', 'passages of its entry', ({ entry }) => entry.passages.length),
  feature('chars of entry', 'length of its entry', ({ place }) => place.chars),
  feature('closing', 'it is among the last words before the user speaks', ({ entry }) =>
    flag(entry.type === 'said' && entry.closing),
  ),
  feature('since user', 'entries since the user spoke', ({ place }) => place.since),
  feature('until user', 'entries until the user speaks, or the session ends', ({ place }) => place.until),
  feature('same text', 'times its very text occurs', ({ survey, passage }) => survey.texts[passage.text] ?? 1),
  feature('shape so far', 'times its entry has had its shape', ({ passage }) => passage.alike),
  feature('same shape', 'times its shape occurs', ({ survey, passage }) => survey.shapes[passage.shape] ?? 1),
  feature('same call again', 'later calls with the same heading', ({ place }) => place.again),
  feature('same call before', 'earlier calls with the same heading', ({ place }) => place.before),
  feature('rarest term', 'rarity of its rarest term', ({ terms }) => terms.rarest),
  feature('rarest name', 'rarity of its rarest name', ({ terms }) => terms.rarestName),
  feature('rarity', 'rarity of all its terms together', ({ terms }) => terms.rarity),
  feature('mean rarity', 'mean rarity of its terms', ({ terms, passage }) => mean(terms.rarity, passage)),
  ...GROUPS.map((group) =>
    feature(`later ${group}`, `terms that a later ${group} voice uses`, ({ terms }) => terms.later[group]),
  ),
  ...GROUPS.map((group) =>
    feature(`later ${group} share`, `the same as a share of its terms`, ({ terms, passage }) =>
      mean(terms.later[group], passage),
    ),
  ),
  feature('earlier user share', 'share of its terms that an earlier user voice used', ({ terms, passage }) =>
    mean(terms.earlier.user, passage),
  ),
  feature(
    'heading later agent',
    'terms of its heading that the agent uses later',
    ({ heading }) => heading.later.agent,
  ),
  feature('heading later call', 'terms of its heading that later calls use', ({ heading }) => heading.later.call),
  feature('dependence', 'share of the new terms of its entry that are used later', ({ dependence }) => dependence),
  feature('written later', 'a later call writes or removes this very text', ({ survey, passage }) =>
    flag((survey.written[passage.text] ?? -1) > passage.entry),
  ),
  ...GROUPS.map((group) =>
    feature(`earlier ${group}`, `terms that an earlier ${group} voice used`, ({ terms }) => terms.earlier[group]),
  ),
  feature(
    'most reused',
    'later entries in which user, agent or calls use one of its terms',
    ({ terms }) => terms.mostReused,
  ),
  feature('mean reuse', 'the same, as a mean over its terms', ({ terms, passage }) => mean(terms.reuses, passage)),
  feature('shared terms', 'terms that several groups of voices use', ({ terms }) => terms.shared),
  feature('new terms', 'terms that occur here first', ({ terms }) => terms.fresh),
  feature('new terms reused', 'new terms that user, agent or calls use later', ({ terms }) => terms.freshReused),
  feature('failed', 'its call failed', ({ entry }) => flag(entry.type === 'did' && entry.failed)),
  feature('fixed', 'its call failed and succeeded later', ({ entry }) =>
    flag(entry.type === 'did' && entry.fixedBy !== null),
  ),
  feature('order', 'it says what must, may or must not be done', ({ passage }) => flag(isOrder(passage.words))),
  feature('question', 'it asks', ({ passage }) => flag(/\?\s*$/.test(passage.words))),
  feature('prose', 'three plain words in a row', ({ passage }) => flag(PROSE.test(passage.words))),
  feature('code quote', 'it has a backtick', ({ passage }) => flag(passage.words.includes('`'))),
  feature('label', 'a colon or an equals sign and something behind it', ({ passage }) =>
    flag(/[:=] ?\S/.test(passage.words)),
  ),
  feature('bullet', 'it begins like an item of a list', ({ passage }) =>
    flag(/^(?:[-*•]|\d+[.)])\s/.test(passage.words)),
  ),
  feature('digits', 'digits', ({ passage }) => lookOf(passage.words).digits),
  feature('letters', 'share of letters and spaces', ({ passage }) => lookOf(passage.words).letters),
  feature('joined', 'it goes on in the middle of a line', ({ entry, passage }) =>
    flag(entry.passages[passage.index]?.joined === true),
  ),
  feature('entries', 'entries of the session', ({ survey }) => survey.entries.length),
  feature('passages', 'passages of the session', ({ survey }) => survey.passages.length),
  ...oneOf<PassageInContext, Voice>('voice', VOICES, ({ passage }) => (passage.index < 0 ? null : passage.voice)),
  ...oneOf<PassageInContext, Verb>('verb', VERBS, ({ entry }) =>
    entry.type === 'did' ? (entry.action?.verb ?? 'other') : null,
  ),
];

function feature(name: string, says: string, of: Of): Feature<PassageInContext> {
  return { name, says, of };
}

/** Digits, and the share of letters and spaces. Anything beyond ASCII counts as a letter. */
function lookOf(text: string): { readonly digits: number; readonly letters: number } {
  let [digits, letters] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) digits++;
    else if (code === 32 || code > 127 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)) letters++;
  }
  return { digits, letters: letters / Math.max(1, text.length) };
}

function flag(is: boolean): number {
  return is ? 1 : 0;
}

function mean(sum: number, { terms }: SurveyedPassage): number {
  return sum / Math.max(1, terms.length);
}

/** True for the heading of words, which names their speaker only and has no worth of its own. */
export function isSpeaker({ passage, entry }: Pick<PassageInContext, 'passage' | 'entry'>): boolean {
  return passage.index < 0 && entry.type === 'said';
}

/** All passages with everything that their features need. */
export function inContext(survey: Survey): readonly PassageInContext[] {
  const sums = survey.passages.map((passage) => sumTerms(survey, passage));
  const headings: TermSums[] = [];
  const fresh = new Float64Array(survey.entries.length);
  const reused = new Float64Array(survey.entries.length);
  for (const [at, { entry, index }] of survey.passages.entries()) {
    const own = sums[at] as TermSums;
    if (index < 0) headings.push(own);
    fresh[entry] = (fresh[entry] ?? 0) + own.fresh;
    reused[entry] = (reused[entry] ?? 0) + own.freshReused;
  }
  return survey.passages.map((passage, at) => ({
    survey,
    passage,
    entry: survey.entries[passage.entry] as Entry,
    place: survey.places[passage.entry] as Place,
    terms: sums[at] as TermSums,
    heading: headings[passage.entry] as TermSums,
    dependence: (reused[passage.entry] ?? 0) / Math.max(1, fresh[passage.entry] ?? 0),
  }));
}

function sumTerms({ terms: uses, vocabulary, entries }: Survey, { terms, entry }: SurveyedPassage): TermSums {
  const later = { user: 0, agent: 0, call: 0, print: 0 };
  const earlier = { user: 0, agent: 0, call: 0, print: 0 };
  const sums = { names: 0, numbers: 0, rarest: 0, rarestName: 0, rarity: 0, mostReused: 0, reuses: 0, shared: 0 };
  let [fresh, freshReused] = [0, 0];
  const most = bitsOf(entries.length + 2);
  for (const term of terms) {
    const own = uses[term];
    if (own === undefined) continue;
    const sort = vocabulary.sortOf(term);
    const rarity = most - bitsOf(Math.max(1, own.entries));
    let [reused, groups] = [0, 0];
    for (const group of GROUPS) {
      const list = own.by[group];
      if (list.length === 0) continue;
      groups++;
      const after = list.length - countUpTo(list, entry);
      if (after > 0) later[group]++;
      if ((list[0] ?? entry) < entry) earlier[group]++;
      if (group !== 'print') reused += after;
    }
    sums.rarity += rarity;
    sums.rarest = Math.max(sums.rarest, rarity);
    if (sort === 'name') sums.names++;
    if (sort === 'name') sums.rarestName = Math.max(sums.rarestName, rarity);
    if (sort === 'number') sums.numbers++;
    sums.reuses += reused;
    sums.mostReused = Math.max(sums.mostReused, reused);
    if (groups > 1) sums.shared++;
    if (own.first === entry) fresh++;
    if (own.first === entry && reused > 0) freshReused++;
  }
  return { ...sums, later, earlier, fresh, freshReused };
}

/** How many of the rising values are at most `limit`. */
export function countUpTo(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
