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
  readonly look: Look;
}

/** Digits, and the share of letters and spaces. */
interface Look {
  readonly digits: number;
  readonly letters: number;
}

/** What the terms of a passage say together. */
interface TermSums {
  readonly names: number;
  /** Rarity: log2 of how few entries have the term. */
  readonly rarity: number;
  /** How many terms each group uses in later entries. */
  readonly later: Readonly<Record<Group, number>>;
  /** Terms that several groups use. */
  readonly shared: number;
}

/** Every feature of a passage. A heading is a passage that says that a call was made. */
export const PASSAGE_FEATURES: readonly Feature<PassageInContext>[] = [
  feature('heading', 'it is the heading of a call or a note', ({ passage }) => flag(passage.index < 0)),
  feature('chars', 'length', ({ passage }) => passage.words.length),
  feature('terms', 'different terms', ({ passage }) => passage.terms.length),
  feature('names', 'terms that are names', ({ terms }) => terms.names),
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
  feature('chars of entry', 'length of its entry', ({ place }) => place.chars),
  feature('passages of entry', 'passages of its entry', ({ entry }) => entry.passages.length),
  feature('same text', 'times its very text occurs', ({ survey, passage }) => survey.texts[passage.text] ?? 1),
  feature('same shape', 'times its shape occurs', ({ survey, passage }) => survey.shapes[passage.shape] ?? 1),
  feature('same call again', 'later calls with the same heading', ({ place }) => place.again),
  feature('same call before', 'earlier calls with the same heading', ({ place }) => place.before),
  feature('rarity', 'rarity of all its terms together', ({ terms }) => terms.rarity),
  feature('mean rarity', 'mean rarity of its terms', ({ terms, passage }) => mean(terms.rarity, passage)),
  ...GROUPS.map((group) =>
    feature(`later ${group}`, `terms that a later voice of the group ${group} uses`, ({ terms }) => terms.later[group]),
  ),
  ...GROUPS.map((group) =>
    feature(`later ${group} share`, 'the same as a share of its terms', ({ terms, passage }) =>
      mean(terms.later[group], passage),
    ),
  ),
  feature('shared terms', 'terms that several groups of voices use', ({ terms }) => terms.shared),
  feature('order', 'it says what must, may or must not be done', ({ passage }) => flag(isOrder(passage.words))),
  feature('question', 'it asks', ({ passage }) => flag(/\?\s*$/.test(passage.words))),
  feature('failed', 'its call failed', ({ entry }) => flag(entry.type === 'did' && entry.failed)),
  feature('fixed', 'its call failed and succeeded later', ({ entry }) =>
    flag(entry.type === 'did' && entry.fixedBy !== null),
  ),
  feature('prose', 'three plain words in a row', ({ passage }) => flag(PROSE.test(passage.words))),
  feature('label', 'a colon or an equals sign and something behind it', ({ passage }) =>
    flag(/[:=] ?\S/.test(passage.words)),
  ),
  feature('code quote', 'it has a backtick', ({ passage }) => flag(passage.words.includes('`'))),
  feature('bullet', 'it begins like an item of a list', ({ passage }) =>
    flag(/^(?:[-*•]|\d+[.)])\s/.test(passage.words)),
  ),
  feature('digits', 'digits', ({ look }) => look.digits),
  feature('letters', 'share of letters and spaces', ({ look }) => look.letters),
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

function feature(name: string, says: string, of: (item: PassageInContext) => number): Feature<PassageInContext> {
  return { name, says, of };
}

/** Anything beyond ASCII counts as a letter. */
function lookOf(text: string): Look {
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

/** A passage with everything that its features need. */
export function inContext(survey: Survey, passage: SurveyedPassage): PassageInContext {
  const entry = survey.entries[passage.entry] as Entry;
  const place = survey.places[passage.entry] as Place;
  return { survey, passage, entry, place, terms: sumTerms(survey, passage), look: lookOf(passage.words) };
}

function sumTerms({ terms: uses, vocabulary, entries }: Survey, { terms, entry }: SurveyedPassage): TermSums {
  const later = { user: 0, agent: 0, call: 0, print: 0 };
  let [names, rarity, shared] = [0, 0, 0];
  const most = bitsOf(entries.length + 2);
  for (const term of terms) {
    const own = uses[term];
    if (own === undefined) continue;
    let groups = 0;
    for (const group of GROUPS) {
      if (own.by[group] === 0) continue;
      groups++;
      if (own.lastBy[group] > entry) later[group]++;
    }
    rarity += most - bitsOf(Math.max(1, own.entries));
    if (vocabulary.sortOf(term) === 'name') names++;
    if (groups > 1) shared++;
  }
  return { names, rarity, later, shared };
}
