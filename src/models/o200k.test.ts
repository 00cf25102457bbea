import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../test/work/cpu-time.ts';
import { o200k } from './o200k.ts';

const plain = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

function fill(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length - (length % pattern.length));
}

/** Inputs on which byte-pair encoders are quadratic: one pre-token that never ends. */
const PATHOLOGICAL: Readonly<Record<string, string>> = {
  'one letter': 'a',
  digits: '7',
  'Chinese without punctuation': '的一是不了人我在有他',
  'symbols with arrows': '=→',
  'symbols with emoji': '=😀',
  'symbols with line breaks': '=/\n',
  'spaces with line breaks': ' \n',
  'spaces with no-break spaces': ' \u00a0',
  'letters with accents': 'aé',
  'a digit and emoji': `7${'😀'.repeat(40)}`,
  'CJK extension B': '𠀀𠀁𠀂',
  spaces: ' ',
  'one symbol': '=',
};

describe('splitting long runs', () => {
  test.each(Object.keys(PATHOLOGICAL))('does not change the count: %s', (name) => {
    const text = fill(PATHOLOGICAL[name] ?? '', 2_000);
    expect(o200k.count(text)).toBe(plain(text));
  });

  test.each(Object.keys(PATHOLOGICAL))('counts a million characters in under a second: %s', async (name) => {
    const text = fill(PATHOLOGICAL[name] ?? '', 1_000_000);
    let tokens = 0;
    const ms = await cpuMsOf(() => {
      tokens = o200k.count(text);
    });
    expect(tokens).toBeGreaterThan(0);
    expect(ms).toBeLessThan(1_000);
  });

  test('does not touch ordinary text', () => {
    const text = 'import { a } from "./b.ts"; // 12345 – ünïcödé 上下文 \r\n\tconst x = `${y}`;\n'.repeat(200);
    expect(o200k.count(text)).toBe(plain(text));
  });

  test('keeps pairs of surrogates whole at every offset', () => {
    for (let offset = 0; offset < 6; offset++) {
      const text = '='.repeat(offset) + '😀'.repeat(600);
      expect(o200k.count(text)).toBe(plain(text));
    }
  });

  test('survives lone surrogates', () => {
    expect(o200k.count('\ud800'.repeat(2_000))).toBeGreaterThan(0);
    expect(o200k.count(`a${'\udc00'.repeat(2_000)}b`)).toBeGreaterThan(0);
  });
});

describe('special tokens', () => {
  test('are the text they are: a tool result that quotes one does not end the request', () => {
    expect(o200k.count('before <|endoftext|> after')).toBe(plain('before <|endoftext|> after'));
    expect(o200k.count('<|im_start|><|im_end|>')).toBeGreaterThan(2);
    expect(o200k.count('<|endoftext|>')).toBeGreaterThan(1);
  });
});

test('nothing has no tokens, and known texts have their known counts', () => {
  expect(o200k.count('')).toBe(0);
  expect(o200k.count('hello world')).toBe(2);
});
