import { sortOfToken } from './names.ts';

/**
 * A text can be found by its terms: *names* (identifiers, paths, hashes, addresses: anything people would copy rather than
 * say), short *numbers*, and *words* (everything else, reduced to a stem, without stop words).
 */
export type TermSort = 'name' | 'number' | 'word';

/** Gives every term of a session a small number, so that coverage is arithmetic on arrays. */
export class Vocabulary {
  readonly #ids = new Map<string, number>();
  readonly #sorts: TermSort[] = [];
  readonly #texts: string[] = [];

  get size(): number {
    return this.#sorts.length;
  }

  sortOf(id: number): TermSort {
    return this.#sorts[id] ?? 'word';
  }

  /** The term as it is compared: a stem, or a name as it was written. */
  textOf(id: number): string {
    return this.#texts[id] ?? '';
  }

  /** The distinct terms of a text that are known already. */
  knownTerms(text: string): readonly number[] {
    return this.#termsOf(text, (key) => this.#ids.get(key) ?? null);
  }

  /** The distinct terms of a text. */
  terms(text: string): readonly number[] {
    return this.#termsOf(text, (key, sort) => this.#id(key, sort));
  }

  #termsOf(text: string, idOf: (key: string, sort: TermSort) => number | null): readonly number[] {
    const found = new Set<number>();
    const add = (key: string, sort: TermSort): void => {
      const id = idOf(key, sort);
      if (id !== null) found.add(id);
    };
    for (const match of text.matchAll(TOKEN)) {
      const token = match[0];
      if (IDEOGRAPHIC.test(token)) {
        for (let at = 0; at + 1 < token.length; at++) add(token.slice(at, at + 2), 'word');
        continue;
      }
      addToken(token, add);
    }
    return [...found];
  }

  #id(key: string, sort: TermSort): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#sorts.length;
    this.#ids.set(key, id);
    this.#sorts.push(sort);
    this.#texts.push(key);
    return id;
  }
}

type Add = (key: string, sort: TermSort) => void;

function addToken(token: string, add: Add): void {
  switch (sortOfToken(token)) {
    case 'word': {
      const lower = token.toLowerCase();
      if (lower.length >= 3 && !STOP_WORDS.has(lower)) add(stem(lower), 'word');
      return;
    }
    case 'number':
      add(token, 'number');
      return;
    case 'hyphenated':
      for (const piece of token.split('-')) addToken(piece, add);
      return;
    case 'name':
      addName(token, add);
  }
}

function addName(token: string, add: Add): void {
  add(token, 'name');
  // A path is also known by its last part, and `strategy.OpenRepository` by `OpenRepository`.
  const last = token.slice(Math.max(token.lastIndexOf('/'), token.lastIndexOf(':')) + 1);
  if (last.length >= 3 && last !== token) add(last, sortOfToken(last) === 'word' ? 'word' : 'name');
  const dot = last.lastIndexOf('.');
  const member = dot > 0 ? last.slice(dot + 1) : '';
  if (member.length >= 5 && /[A-Z_]/.test(member)) add(member, 'name');
}

const TOKEN = /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$]*(?:[-./:@#+%]{1,2}[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$]*)*%?/gu;
const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}$/u;

/** Removes the commonest English endings. Wrong stems do no harm, since both sides of a comparison get the same one. */
function stem(word: string): string {
  if (word.length <= 4) return word;
  return word.replace(/(?:ies|ing|ed|es|s|ly)$/, '');
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "the and for are was were that this with you your has have had not but can will would should could its it's from they them then than there here what when where which who how why " +
    'all any some one two out into onto over also just now let lets see get got use used using like make made need needs want does did done doing being been about after before more most other ' +
    'only very much such same each own too may might must our ours his her him she their these those because while per via etc yes okay sure return const true false null undefined string ' +
    'function import export type file line code new var int err nil func public private static void async await self def class'
  ).split(' '),
);
