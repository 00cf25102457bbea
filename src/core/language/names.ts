/**
 * The one idea of what a name is: a thing that people copy rather than say. Paths, identifiers, hashes, versions, numbers, quoted code. Each
 * question below is asked of names for another purpose and draws the line where that purpose needs it.
 */

/** The names in a sentence that must occur in its source: paths, identifiers, hashes, versions, numbers of three digits and more, words in capitals. */
export function namesIn(text: string): readonly string[] {
  return text.match(COPIED) ?? [];
}

const COPIED =
  /(?:[A-Za-z]:\\|[~.]{0,2}\/)?[\w@.-]+(?:[/\\][\w@.-]+)+|\b[\w$]*[a-z][A-Z][\w$]*\b|\b\w+_\w+\b|\b[\w-]+\.(?:ts|js|tsx|jsx|py|go|rs|md|json|ya?ml|toml|sh|sql|css|html|txt|java|rb|c|h|cpp)\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|\b\d+(?:[.:,]\d+)+\b|\b[A-Za-z]*\d[\w]*\b|\b[A-Za-z]\w+(?:-\w+)+\b|(?<=[a-z,;] )[A-Z][a-z]{3,}\b/g;

/** True for a word of output that is a number, a path or an identifier: lines that differ in such words alone are of one shape. */
export function isNameLike(word: string): boolean {
  return NAME_LIKE.test(word);
}

const NAME_LIKE = /[\d/_\\]|\w[.-]\w|[a-z][A-Z]/;

/** How far a line names things, from 0 to 1 for two or more. Quoted words count. */
export function substanceOf(line: string): number {
  return Math.min(1, (line.match(SPECIFIC) ?? []).length / 2);
}

const SPECIFIC = /[`"][^`"]{4,}[`"]|\b\w*[a-z][A-Z]\w*|\b(?!(?:e\.g|i\.e|and\/or)\b)[\w-]+[_./]\w+|(?<![#\w])\d{2,}/g;

/** True for a word of a question that looks like code, and so must be found as it is. */
export function isCodeWord(token: string): boolean {
  return /\d|[_$./:@#\\]|\p{Ll}\p{Lu}/u.test(token);
}

/** True when a line holds digits, negations, names, identifiers or values behind a key: two texts that differ in it differ in meaning. */
export function tellsApart(line: string): boolean {
  return TELLING.test(line);
}

const TELLING =
  /\d|n['’]t\b|\b(?:not|no|nor|none|never|cannot|without|except|unless)\b|\b\p{Lu}[\p{L}\w-]+|\w[_./@\\]\w|[`"']|[=:]\s*\S/u;

/** What a token of a text is: a plain word, a short number, words joined by hyphens, or a name. */
export function sortOfToken(token: string): 'word' | 'number' | 'hyphenated' | 'name' {
  if (WORD.test(token)) return 'word';
  if (NUMBER.test(token)) return 'number';
  return HYPHENATED.test(token) ? 'hyphenated' : 'name';
}

const WORD = /^(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lo}+|\p{Lu}+)$/u;
const HYPHENATED = /^\p{L}+(?:-\p{L}+)+$/u;
const NUMBER = /^\d{1,3}$/;
