import { isNameLike } from '../language/names.ts';
import { Vocabulary } from '../language/terms.ts';
import type { Voice } from '../language/voice.ts';
import type { Entry } from '../record/entry.ts';

/** What a history says, counted: everything that features are computed from. */
export interface Survey {
  readonly entries: readonly Entry[];
  readonly vocabulary: Vocabulary;
  /** Headings and passages in order; the heading of an entry has index -1. */
  readonly passages: readonly SurveyedPassage[];
  /** One for each entry. */
  readonly places: readonly Place[];
  /** One for each term. */
  readonly terms: readonly TermUses[];
  /** How often each text, shape and heading occurs, by its number. */
  readonly texts: readonly number[];
  readonly shapes: readonly number[];
  /** How often the user spoke. */
  readonly turns: number;
}

export interface SurveyedPassage {
  readonly entry: number;
  readonly index: number;
  readonly voice: Voice;
  readonly words: string;
  readonly terms: readonly number[];
  /** Number of its text, and of its shape: the text without names, paths and numbers. */
  readonly text: number;
  readonly shape: number;
}

/** Where an entry stands. */
export interface Place {
  /** How often the user has spoken up to here. */
  readonly turn: number;
  /** Calls with the same heading after and before it. */
  readonly again: number;
  readonly before: number;
  /** Length of its passages. */
  readonly chars: number;
}

/** Who uses a term, counted in entries. */
export interface TermUses {
  /** Entries in which it occurs. */
  readonly entries: number;
  readonly first: number;
  readonly last: number;
  /** How many entries of each group of voices use it, and the last of them; -1 when none does. */
  readonly by: Readonly<Record<Group, number>>;
  readonly lastBy: Readonly<Record<Group, number>>;
}

/** Voices that are alike in what a repetition of theirs means. */
export type Group = 'user' | 'agent' | 'call' | 'print';
export const GROUPS: readonly Group[] = ['user', 'agent', 'call', 'print'];

export const GROUP_OF: Readonly<Record<Voice, Group>> = {
  user: 'user',
  assistant: 'agent',
  report: 'agent',
  summary: 'agent',
  argument: 'call',
  removed: 'call',
  rules: 'print',
  host: 'print',
  output: 'print',
  content: 'print',
};

/** Counts what a history says. Lines that a model wrote are no part of it. */
export function survey(entries: readonly Entry[]): Survey {
  const vocabulary = new Vocabulary();
  const [texts, shapes] = [new Numbering(), new Numbering()];
  const passages: SurveyedPassage[] = [];
  const uses: Uses[] = [];
  for (const [at, entry] of entries.entries()) {
    const heading = { voice: 'argument' as const, text: entry.heading };
    for (let index = -1; index < entry.passages.length; index++) {
      const { voice, text } = entry.passages[index] ?? heading;
      const terms = vocabulary.terms(text);
      // The heading of words names their speaker only.
      if (index < 0 && entry.type === 'said') {
        passages.push({ entry: at, index, voice, words: text, terms: [], text: texts.add(text), shape: 0 });
        continue;
      }
      const shape = shapes.add(shapeOf(text));
      passages.push({ entry: at, index, voice, words: text, terms, text: texts.add(text), shape });
      for (const term of terms) use(usesOf(uses, term), at, GROUP_OF[voice]);
    }
  }
  // Names of speakers are terms that nobody uses.
  usesOf(uses, vocabulary.size - 1);
  const places = placesOf(entries);
  return {
    entries,
    vocabulary,
    passages,
    places,
    terms: uses,
    texts: texts.counts,
    shapes: shapes.counts,
    turns: places.at(-1)?.turn ?? 0,
  };
}

interface Uses {
  entries: number;
  first: number;
  last: number;
  readonly by: Record<Group, number>;
  readonly lastBy: Record<Group, number>;
}

function usesOf(all: Uses[], term: number): Uses {
  while (all.length <= term)
    all.push({
      entries: 0,
      first: 0,
      last: -1,
      by: { user: 0, agent: 0, call: 0, print: 0 },
      lastBy: { user: -1, agent: -1, call: -1, print: -1 },
    });
  return all[term] as Uses;
}

function use(own: Uses, entry: number, group: Group): void {
  if (own.last !== entry) {
    if (own.entries === 0) own.first = entry;
    own.entries++;
    own.last = entry;
  }
  if (own.lastBy[group] === entry) return;
  own.by[group]++;
  own.lastBy[group] = entry;
}

/** Numbers for texts, and how often each was seen. */
class Numbering {
  readonly counts: number[] = [];
  readonly #numbers = new Map<string, number>();

  add(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.counts[number] = (this.counts[number] ?? 0) + 1;
    return number;
  }
}

/** A line without its names, paths and numbers. Keys and subjects stay: a list of settings says something new each time. */
function shapeOf(text: string): string {
  return text.replaceAll(/\S+/g, (word, at: number) => {
    if (word.includes('=') || word.endsWith(':') || /^\s*=/.test(text.slice(at + word.length, at + word.length + 4)))
      return word.replaceAll(/\d+/g, '0');
    return isNameLike(word) ? '0' : word;
  });
}

function placesOf(entries: readonly Entry[]): readonly Place[] {
  const calls = new Map<string, number>();
  let turn = 0;
  const first = entries.map((entry) => {
    if (isUsers(entry)) turn++;
    const before = entry.type === 'did' ? (calls.get(entry.heading) ?? 0) : 0;
    if (entry.type === 'did') calls.set(entry.heading, before + 1);
    return { turn, before };
  });
  return first.map((place, at) => {
    const entry = entries[at] as Entry;
    const all = entry.type === 'did' ? (calls.get(entry.heading) ?? 1) : 1;
    const chars = entry.passages.reduce((sum, { text }) => sum + text.length, 0);
    return { ...place, again: all - 1 - place.before, chars };
  });
}

function isUsers(entry: Entry): boolean {
  return entry.type === 'said' && entry.passages.some(({ voice }) => voice === 'user');
}
