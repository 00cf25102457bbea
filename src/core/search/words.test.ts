import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryWords, stem, wordsOf } from './words.ts';

test('names are found whole and by their pieces', () => {
  expect(wordsOf('createUserId')).toEqual(['createuserid', 'creat', 'user', 'id']);
  expect(wordsOf('MAX_RETRY_COUNT')).toEqual(expect.arrayContaining(['max_retry_count', 'max', 'retry', 'count']));
  expect(wordsOf('src/core/token-bucket.ts')).toEqual(
    expect.arrayContaining(['src/core/token-bucket.ts', 'token-bucket.ts', 'core', 'bucket']),
  );
  expect(wordsOf('HTTPServer')).toEqual(expect.arrayContaining(['http', 'server']));
});

test('numbers, versions and hashes stay as they are', () => {
  expect(wordsOf('port 8443')).toContain('8443');
  expect(wordsOf('go@1.25.6')).toEqual(expect.arrayContaining(['go@1.25.6', 'go', '25']));
  expect(wordsOf('commit 9b02d6f')).toContain('9b02d6f');
});

test.each([
  ['tests', 'test'],
  ['testing', 'test'],
  ['tested', 'test'],
  ['retries', 'retry'],
  ['retried', 'retry'],
  ['caches', 'cache'],
  ['cached', 'cache'],
  ['stopped', 'stop'],
  ['classes', 'class'],
])('%s is found by %s', (form, word) => {
  expect(stem(form)).toBe(stem(word));
});

test.each(['status', 'class', 'string', 'red', 'größe', 'this'])('%s keeps its ending', (word) => {
  expect(stem(word)).toBe(word);
});

test('Chinese is found by pairs of characters', () => {
  expect(wordsOf('上下文压缩')).toEqual(['上下', '下文', '文压', '压缩']);
  expect(wordsOf('用API')).toEqual(['用', 'api']);
});

test('a question is its words that matter, names before the rest', () => {
  const words = new Map(
    queryWords('Which port does the `staging` server in deploy.yaml use?').map((each) => [each.word, each.weight]),
  );
  expect(words.has('which')).toBe(false);
  expect(words.has('the')).toBe(false);
  expect(words.get('port')).toBe(1);
  expect(words.get('deploy.yaml') ?? 0).toBeGreaterThan(1);
  expect(words.get('stag') ?? 0).toBeGreaterThan(1);
});

test('other words for the same thing count less', () => {
  const words = new Map(queryWords('delete').map((each) => [each.word, each.weight]));
  expect(words.get(stem('remove')) ?? 0).toBeLessThan(words.get(stem('delete')) ?? 0);
});

test('a question without a word that matters has none', () => {
  expect(queryWords('What is it, and why?')).toEqual([]);
  expect(queryWords('')).toEqual([]);
});

test('whatever the text, words are bounded and the same each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const words = wordsOf(text);
      expect(wordsOf(text)).toEqual(words);
      for (const word of words) expect(word.length).toBeLessThanOrEqual(130);
      queryWords(text);
    }),
  );
});

test.each([
  ['migration', 'migrate'],
  ['installation', 'install'],
  ['creation', 'create'],
])('%s is found by %s', (noun, verb) => {
  expect(stem(noun)).toBe(stem(verb));
});
