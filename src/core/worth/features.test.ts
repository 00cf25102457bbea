import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { recordHistory } from '../facts/history-record.ts';
import { bitsOf, growth } from './numbers.ts';
import { inContext, PASSAGE_FEATURES } from './passage-features.ts';
import { survey } from './survey.ts';
import { TERM_FEATURES } from './term-features.ts';

const session = build()
  .user('Why does the gateway drop orders? Never restart db-7.')
  .assistant('I read the log.')
  .call('bash', { command: 'cat gateway.log' })
  .result('order 17 dropped\norder 18 dropped\ntimeout = 30\nretryLimit reached')
  .assistant('The retryLimit is too low.')
  .call('bash', { command: 'cat gateway.log' })
  .result('order 19 dropped')
  .user('Raise it.');
const surveyed = survey(recordHistory(session.decode(openaiChat).messages).entries);
const items = surveyed.passages.map((passage) => inContext(surveyed, passage));

/** A feature of the first passage that begins with these words. */
function of(name: string, words: string): number | undefined {
  const item = items.find(({ passage }) => passage.index >= 0 && passage.words.startsWith(words));
  const feature = PASSAGE_FEATURES.find((one) => one.name === name);
  return item === undefined ? undefined : feature?.of(item);
}

function ofTerm(name: string, text: string): number | undefined {
  const { vocabulary, terms } = surveyed;
  const at = terms.findIndex((_, term) => vocabulary.textOf(term) === text);
  const uses = terms[at];
  const feature = TERM_FEATURES.find((one) => one.name === name);
  return uses === undefined ? undefined : feature?.of({ survey: surveyed, uses, text, sort: vocabulary.sortOf(at) });
}

describe('features of a passage', () => {
  it.each<[string, string, number]>([
    ['voice:user', 'Why does', 1],
    ['voice:user', 'I read', 0],
    ['voice:content', 'order 17', 1],
    ['verb:shell', 'order 17', 1],
    ['turns left', 'Why does', 1],
    ['turns left', 'Raise it', 0],
    ['place in entry', 'timeout', 2],
    ['same shape', 'order 17', 3],
    ['same call again', 'order 17', 1],
    ['same call before', 'order 19', 1],
    ['later agent', 'retryLimit', 1],
    ['later user', 'retryLimit', 0],
    ['order', 'Why does', 1],
    ['digits', 'order 17', 2],
  ])('%s of "%s…" is %d', (name, words, value) => {
    expect(of(name, words)).toBe(value);
  });
});

describe('features of a term', () => {
  it.each<[string, string, number]>([
    ['sort:name', 'retryLimit', 1],
    ['sort:word', 'retryLimit', 0],
    ['by agent', 'retryLimit', 1],
    ['by print', 'retryLimit', 1],
    ['by user', 'retryLimit', 0],
    ['groups', 'retryLimit', 2],
    ['entries', 'dropp', 2],
    ['capitals', 'retryLimit', 1],
  ])('%s of "%s" is %d', (name, text, value) => {
    expect(ofTerm(name, text)).toBe(value);
  });
});

describe('tables of features', () => {
  it.each([
    ['passages', PASSAGE_FEATURES],
    ['terms', TERM_FEATURES],
  ] as const)('name every feature of %s once, and say what it means', (_of, features) => {
    const names = features.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(features.every(({ says }) => says.length > 3)).toBe(true);
  });

  it('hold finite numbers only', () => {
    for (const item of items)
      for (const { name, of: value } of PASSAGE_FEATURES) expect(Number.isFinite(value(item)), name).toBe(true);
  });
});

describe('fixed arithmetic', () => {
  it('doubles with every whole score, and never falls', () => {
    expect([-2, -1, 0, 1, 3].map(growth)).toEqual([0.25, 0.5, 1, 2, 8]);
    for (let score = -5; score < 5; score += 1 / 64) expect(growth(score + 1 / 64)).toBeGreaterThan(growth(score));
  });

  it('knows powers of two exactly', () => {
    expect([1, 2, 4, 1_024].map(bitsOf)).toEqual([0, 1, 2, 10]);
    expect(bitsOf(3)).toBe(1.5);
  });
});
