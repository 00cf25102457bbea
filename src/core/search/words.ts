import { isCodeWord } from '../language/names.ts';

/**
 * The words a text is indexed and found by. Names are there whole and in pieces (`createUserId`: `createuserid`, `creat`, `user`, `id`), plain
 * words without the commonest English endings, Chinese, Japanese and Korean as pairs of characters. A wrong stem does no harm: both sides of a
 * comparison get the same one.
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const match of text.matchAll(TOKEN)) addToken(words, match[0]);
  return words;
}

/** A word of a question: its basic form, and how much it counts beside the others. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
}

/**
 * The words of a question, without those every question has. What is quoted or looks like code counts more; other words for the same thing
 * count less than the word itself.
 */
export function queryWords(question: string): readonly QueryWord[] {
  const bounded = question.slice(0, QUESTION_CHARS);
  const weights = new Map<string, number>();
  const raise = (word: string, weight: number): void => {
    weights.set(word, Math.max(weights.get(word) ?? 0, weight));
  };
  for (const match of bounded.matchAll(TOKEN)) {
    const token = match[0];
    if (STOP_WORDS.has(token.toLowerCase()) && !isShouted(token)) continue;
    const own: string[] = [];
    addToken(own, token);
    const [whole = '', ...pieces] = own;
    raise(whole, isCodeWord(token) ? NAME_WEIGHT : 1);
    for (const piece of pieces) raise(piece, isCodeWord(token) ? PIECE_WEIGHT : 1);
  }
  for (const match of bounded.matchAll(QUOTED))
    for (const word of wordsOf(match[1] ?? match[2] ?? match[3] ?? '')) if (weights.has(word)) raise(word, NAME_WEIGHT);
  for (const [word, weight] of [...weights])
    for (const other of othersFor(word)) if (!weights.has(other)) raise(other, weight * OTHER_WEIGHT);
  return [...weights].slice(0, QUERY_WORDS).map(([word, weight]) => ({ word, weight }));
}

const NAME_WEIGHT = 1.5;
const PIECE_WEIGHT = 0.8;
const OTHER_WEIGHT = 0.5;
/** A question is not longer than this; what follows is not looked at. */
const QUESTION_CHARS = 4_000;
const QUERY_WORDS = 120;
/** Longer runs are data; their beginning is enough to find them by. */
const WORD_CHARS = 64;

const TOKEN = /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$]*(?:[-./:@#+\\][\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$]*)*/gu;
const SEPARATORS = /[-./:@#+\\_$]+/;
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const IDEOGRAPHIC_RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const CAMEL = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const PLAIN = /^\p{Lu}?[\p{Ll}\p{M}]+$/u;
const QUOTED = /"([^"\n]{2,200})"|`([^`\n]{2,200})`|“([^”\n]{2,200})”/g;

/** A run of pieces this long is data: only its beginning is taken apart. */
const PIECES = 24;

function addToken(words: string[], token: string): void {
  if (PLAIN.test(token)) {
    words.push(stem(token.toLowerCase().slice(0, WORD_CHARS)));
    return;
  }
  if (IDEOGRAPHIC.test(token)) {
    addIdeographs(words, token);
    return;
  }
  words.push(basic(token.slice(0, WORD_CHARS)));
  const pieces = token.slice(0, PIECES * WORD_CHARS).split(SEPARATORS);
  if (pieces.length > 2) {
    // A path is also known by its last name, `strategy.OpenRepository` by `OpenRepository`: the pieces below.
    const last = token.slice(Math.max(token.lastIndexOf('/'), token.lastIndexOf('\\')) + 1, token.length);
    if (last !== token && /[-._]/.test(last)) words.push(basic(last.slice(0, WORD_CHARS)));
  }
  for (const piece of pieces.slice(0, PIECES)) {
    if (piece === '') continue;
    const humps = piece.length > WORD_CHARS ? [piece] : piece.split(CAMEL);
    if (pieces.length > 1) words.push(basic(piece.slice(0, WORD_CHARS)));
    if (humps.length > 1) for (const hump of humps) words.push(basic(hump));
  }
}

function addIdeographs(words: string[], token: string): void {
  for (const [run] of token.matchAll(IDEOGRAPHIC_RUNS)) {
    if (!IDEOGRAPHIC.test(run)) addToken(words, run);
    else if (run.length === 1) words.push(run);
    else for (let at = 0; at + 1 < run.length; at++) words.push(run.slice(at, at + 2));
  }
}

function basic(piece: string): string {
  const lower = piece.toLowerCase();
  return /^[a-z]+$/.test(lower) ? stem(lower) : lower;
}

/** Folds plurals, `-ed`, `-ing`, `-ly` and a silent e. Other languages' words pass through. */
export function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  let found = word;
  if (found.endsWith('ies') && found.length > 4) found = `${found.slice(0, -3)}y`;
  else if (/(?:ss|x|z|ch|sh)es$/.test(found)) found = found.slice(0, -2);
  else if (/[^sui]s$/.test(found)) found = found.slice(0, -1);
  const ending = /(?:ing|ed|ly)$/.exec(found)?.[0];
  if (ending !== undefined) {
    const rest = found.slice(0, -ending.length);
    if (rest.length >= 3 && /[aeiouy]/.test(rest)) {
      found = /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
      if (found.endsWith('i') && ending !== 'ing') found = `${found.slice(0, -1)}y`;
    }
  }
  if (found.length > 4 && found.endsWith('e')) found = found.slice(0, -1);
  // `migration` and `migrate`, `installation` and `install`.
  const noun = /(?:ation|at)$/.exec(found)?.[0];
  if (noun !== undefined && found.length - noun.length >= 4) return found.slice(0, -noun.length);
  if (found.length > 6 && found.endsWith('ion')) return found.slice(0, -3);
  return found;
}

/** `IT` and `US` are names where `it` and `us` are not. A lone letter is a name too: option A. */
function isShouted(token: string): boolean {
  return token.length >= 1 && token !== 'I' && /^\p{Lu}+$/u.test(token);
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but if of to in on at by for from with without within into onto over under about as than then that this these those it its is are was were be been being am do does did done doing ' +
    'has have had having can could will would shall should may might must not no nor so such own same other others another any some all both each every either neither there here what which who whom ' +
    "whose when where why how i me my mine we us our ours you your yours he him his she her hers they them their theirs it's doesn't didn't isn't wasn't don't that's what's s t d ll re ve m " +
    'also just only very too really exactly still yet ever now again please tell say said says show give given get got gets kind sort way thing things per via up out off down because while though although ' +
    'during after before until between besides instead according'
  ).split(' '),
);

/** Words that people and programs put for one another. Each line is one meaning, in any form. */
const SAME: readonly string[] = [
  'fail failed failure error broke broken break crash problem',
  'fix fixed solve solved resolve resolved repair repaired',
  'remove delete drop',
  'test spec',
  'directory folder dir',
  'create add new',
  'change modify update edit',
  'choose chose chosen pick decide decided decision select',
  'cause reason because',
  'colour color',
  'function method',
  'argument parameter option flag',
  'repository repo',
  'configuration config settings',
  'documentation docs document',
  'pull pr',
  'run execute',
  'show display print',
  'require need',
  'build compile',
  'message text',
  'result outcome',
];

const OTHERS: ReadonlyMap<string, readonly string[]> = sameWords();

function sameWords(): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const line of SAME) {
    const group = line.split(' ').map(stem);
    for (const word of group) table.set(word, [...(table.get(word) ?? []), ...group.filter((other) => other !== word)]);
  }
  return table;
}

function othersFor(word: string): readonly string[] {
  return OTHERS.get(word) ?? [];
}
