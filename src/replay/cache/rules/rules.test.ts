import { describe, expect, test } from 'vitest';
import { rulesById } from './by-id.ts';
import { cacheRules } from './data.ts';
import { rulesForModel, withPrices } from './for-model.ts';
import { rulesFrom } from './parse.ts';

describe('the rules that are known', () => {
  test('are well formed, dated and named once', () => {
    expect(rulesFrom(JSON.parse(JSON.stringify(cacheRules)))).toEqual(cacheRules);
    expect(new Set(cacheRules.map(({ id }) => id)).size).toBe(cacheRules.length);
    for (const rules of cacheRules) {
      expect(rules.asOf).toBe('2026-10-31');
      // A mark names a field that is there.
      for (const field of Object.keys(rules.marks ?? {})) expect(rules).toHaveProperty(field);
    }
  });

  test.each([
    ['anthropic-5m', 0.1, 1.25, 5, 300_000, 1024],
    ['anthropic-1h', 0.1, 2, 5, 3_600_000, 1024],
    ['anthropic-opus-5.5-5m', 0.05, 1.25, 5, 300_000, 1024],
    ['anthropic-fable-5.1-5m', 0.025, 1.25, 5, 300_000, 512],
    ['openai-5.6', 0.1, 1.25, 6, 1_800_000, 1024],
    ['openai-5.5', 0.1, 1, 6, 300_000, 1024],
    ['openai-5', 0.1, 1, 8, 300_000, 1024],
    ['openai-4.1', 0.25, 1, 4, 300_000, 1024],
    ['openai-4o', 0.5, 1, 4, 300_000, 1024],
    ['gemini-3', 0.1, 1, 6, 300_000, 4096],
    ['deepseek-flash', 0.02, 1, 4, 3_600_000, 64],
    ['none', 1, 1, 5, 0, 0],
  ])('%s reads at %d and writes at %d', (id, read, write, output, ttlMs, minTokens) => {
    expect(rulesById(id)).toMatchObject({ read, write, output, ttlMs, minTokens });
  });

  test('are found by id, or the ids are told', () => {
    expect(() => rulesById('anthropic')).toThrow(/got `anthropic`; known are anthropic-5m, /);
    const own = rulesFrom({ id: 'anthropic-5m', usdPerMillionInput: 3 });
    expect(rulesById('anthropic-5m', own).usdPerMillionInput).toBe(3);
  });
});

describe('rules of a user', () => {
  test('name only what is different', () => {
    const [mine] = rulesFrom({ id: 'mine', from: 'openai-5', read: 0.2 });
    expect(mine).toEqual({ ...rulesById('openai-5'), id: 'mine', read: 0.2 });
    expect(mine).not.toHaveProperty('from');
  });

  test('may build on each other', () => {
    const list = rulesFrom([
      { id: 'a', from: 'none', write: 1.5 },
      { id: 'b', from: 'a', read: 0.5 },
    ]);
    expect(list[1]).toMatchObject({ read: 0.5, write: 1.5 });
  });

  test.each([
    [{ from: 'anthropic-5m', read: -1 }, 'expected `read` to be a multiple of the price of input, 0 or more, got `-1`'],
    [{ from: 'anthropic-5m', raed: 1 }, 'unknown field `raed`; known are id, from'],
    [{ from: 'nothing' }, 'expected `from` to be the id of the rules to start from, got `"nothing"`'],
    [{ id: 'mine', read: 0.1 }, 'expected `title` to be a text, got nothing'],
    [{ from: 'none', ttlMs: 'long' }, 'expected `ttlMs` to be milliseconds, 0 or more, or null for ever, got `"long"`'],
    [{ from: 'none', tiers: [{ aboveTokens: 1 }] }, 'expected `tiers` to be a list such as'],
    [{ from: 'none', hitProbability: 2 }, 'expected `hitProbability` to be a number from 0 to 1, got `2`'],
    [[{ from: 'none' }, { from: 'none', granularity: 0 }], 'expected `[1].granularity` to be a whole number'],
    ['anthropic-5m', 'expected an object such as {"from"'],
    [null, 'expected an object such as'],
  ])('%j is refused by name', (value, sentence) => {
    expect(() => rulesFrom(value, 'prices.json')).toThrow(`prices.json: ${sentence}`);
  });
});

describe('the rules for a model', () => {
  test.each([
    ['anthropic', 'claude-sonnet-5', 'anthropic-5m'],
    ['anthropic', 'claude-opus-4-6', 'anthropic-opus-4.5-5m'],
    ['anthropic', 'claude-opus-5', 'anthropic-opus-5-5m'],
    ['anthropic', 'claude-opus-5-5', 'anthropic-opus-5.5-5m'],
    ['anthropic', 'claude-fable-5-1', 'anthropic-fable-5.1-5m'],
    ['openai', 'gpt-5', 'openai-5'],
    ['openai', 'gpt-5.2-codex', 'openai-5'],
    ['openai', 'gpt-5.5', 'openai-5.5'],
    ['openai', 'gpt-5.6-sol', 'openai-5.6'],
    ['openai', 'gpt-6.1-sol', 'openai-6.1'],
    ['google', 'gemini-3.1-pro-preview', 'gemini-3'],
    ['deepseek', 'deepseek-v4-pro', 'deepseek-v4-pro'],
    ['xai', 'grok-4.6', 'xai-4'],
  ])('%s %s', (provider, id, expected) => {
    const { rules, isNearest } = rulesForModel({ provider, id });
    expect([rules.id, isNearest]).toEqual([expected, false]);
  });

  test('are those of the nearest class when the model is not known, and say so', () => {
    expect(rulesForModel({ provider: 'anthropic', id: 'claude-7' })).toMatchObject({
      isNearest: true,
      rules: { id: 'anthropic-5m' },
    });
    expect(rulesForModel({ provider: 'mine', id: 'local' })).toMatchObject({ isNearest: true, rules: { id: 'none' } });
  });

  test('take the prices of the model', () => {
    const prices = { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 };
    const tier = { inputTokensAbove: 272_000, input: 8, output: 30, cacheRead: 0.8, cacheWrite: 10 };
    const { rules } = rulesForModel({ provider: 'openai', id: 'gpt-5.6-sol' }, { prices, tiers: [tier] });
    expect(rules).toMatchObject({ usdPerMillionInput: 4, read: 0.1, write: 1.25, output: 5 });
    expect(rules.tiers).toEqual([{ aboveTokens: 272_000, input: 2, output: 1.5 }]);
  });

  test('keep the dearer writing of the longer lifetime', () => {
    const prices = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
    expect(withPrices(rulesById('anthropic-1h'), prices).write).toBe(2);
  });
});
