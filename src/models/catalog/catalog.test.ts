import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { limitsFor } from '../../core/tokens/window.ts';
import { catalog, findModel, resolveModel } from './catalog.ts';
import { CATALOG_DATE } from './catalog-data.ts';
import { pricesFor } from './price.ts';

const idOf = (id: string): string | null => {
  const model = findModel(id);
  return model === null ? null : `${model.provider}/${model.id}`;
};

describe('finding a model', () => {
  test.each([
    ['anthropic/claude-opus-5-5', 'anthropic/claude-opus-5-5'],
    ['claude-opus-5-5', 'anthropic/claude-opus-5-5'],
    ['Claude-Opus-5-5 ', 'anthropic/claude-opus-5-5'],
    ['groq/openai/gpt-oss-120b', 'groq/openai/gpt-oss-120b'],
    ['gpt-oss-120b', 'openai/gpt-oss-120b'],
    ['MiniMax-M3', 'minimax/MiniMax-M3'],
  ])('by its exact id: %s', (id, expected) => {
    expect(idOf(id)).toBe(expected);
  });

  test.each([
    ['openrouter/anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-opus-4.6:batch', 'anthropic/claude-opus-4-6'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5@20250929', 'anthropic/claude-sonnet-4-5-20250929'],
    ['models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['google/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['vercel/openai/gpt-5.1-codex', 'openai/gpt-5.1-codex'],
    ['amazon.nova-pro-v1:0', 'amazon/nova-pro'],
  ])('through the marks of a gateway: %s', (id, expected) => {
    expect(idOf(id)).toBe(expected);
  });

  test.each([
    ['gpt-4.1-2025-04-14', 'openai/gpt-4.1'],
    ['gpt-4o-mini-2024-07-18', 'openai/gpt-4o-mini'],
    ['claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5-20251001'],
    ['claude-opus-4-1', 'anthropic/claude-opus-4-1-20250805'],
    ['claude-sonnet-4', 'anthropic/claude-sonnet-4-20250514'],
    ['claude-sonnet-5-5-20261001', 'anthropic/claude-sonnet-5-5'],
    ['gemini-2.5-pro-preview-05-06', 'google/gemini-2.5-pro'],
    ['o3-2025-04-16', 'openai/o3'],
    ['gpt-4-0613', 'openai/gpt-4'],
  ])('whatever its date: %s', (id, expected) => {
    expect(idOf(id)).toBe(expected);
  });

  test.each([
    ['gpt-4o-mini-search', 'openai/gpt-4o-mini'],
    ['gpt-5.6-luna-pro', 'openai/gpt-5.6-luna'],
    ['claude-opus-5-5-fast', 'anthropic/claude-opus-5-5'],
  ])('by the longest id it begins with: %s', (id, expected) => {
    expect(idOf(id)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    'my-model',
    'claude',
    'gpt-5.9',
    'claude-opus-5-6',
    'gpt',
    'claude-opus-9-9',
    'toString',
    '__proto__',
  ])('never by guessing: %j', (id) => {
    expect(findModel(id)).toBeNull();
  });
});

describe('resolving a model', () => {
  test('that is known needs no warning', () => {
    expect(resolveModel('gpt-5')).toEqual({ model: findModel('gpt-5'), warning: null });
  });

  test('that is unknown assumes 128,000 tokens and says so', () => {
    const { model, warning } = resolveModel('my-model');
    expect(model).toMatchObject({ id: 'my-model', contextWindow: 128_000, maxOutput: null, prices: null });
    expect(warning).toBe(
      "Unknown model 'my-model': assuming a context window of 128,000 tokens. Give its contextWindow to be exact.",
    );
  });

  test('takes what the caller knows better', () => {
    const { model, warning } = resolveModel('my-model', { contextWindow: 32_000 });
    expect(model.contextWindow).toBe(32_000);
    expect(warning).toBeNull();
    expect(resolveModel('gpt-5', { contextWindow: 1_000 }).model).toMatchObject({ id: 'gpt-5', contextWindow: 1_000 });
  });
});

describe('prices', () => {
  test('follow the length of the request', () => {
    const model = findModel('claude-haiku-5-5')!;
    expect(pricesFor(model, 100_000)?.input).toBe(0.1);
    expect(pricesFor(model, 100_001)?.input).toBe(0.5);
  });

  test('of a model without cached input are not taken for free', () => {
    expect(findModel('gpt-4')?.prices).toEqual({ input: 30, output: 60, cacheRead: null, cacheWrite: null });
    expect(findModel('gpt-4')?.cache).toBeNull();
    expect(findModel('claude-opus-5')?.cache).toEqual({ ttlSeconds: 300, longTtlSeconds: 3_600, minimumTokens: 512 });
  });
});

describe('the data', () => {
  test('holds sane sizes and prices, and limits can be made of every model', () => {
    expect(catalog.length).toBeGreaterThan(120);
    for (const model of catalog) {
      expect(model.contextWindow).toBeGreaterThanOrEqual(4_096);
      if (model.maxOutput !== null) expect(model.maxOutput).toBeLessThanOrEqual(model.contextWindow);
      if (model.prices?.cacheRead != null) expect(model.prices.cacheRead).toBeLessThanOrEqual(model.prices.input);
      const lines = model.tiers.map((tier) => tier.inputTokensAbove);
      expect(lines).toEqual([...lines].sort((a, b) => a - b));
      const limits = limitsFor({ models: [model] });
      expect(limits.threshold).toBeLessThan(limits.window);
    }
  });

  test('names each model once, and finds each by its own name', () => {
    const names = catalog.map((model) => `${model.provider}/${model.id}`);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(idOf(name)).toBe(name);
  });

  test('is dated, names its source and licence, and is small', () => {
    const text = readFileSync(new URL('./catalog-data.ts', import.meta.url), 'utf8');
    expect(CATALOG_DATE).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(text).toContain('@earendil-works/pi-ai 1.5.0');
    expect(text).toContain('MIT License');
    expect(text.length).toBeLessThan(80_000);
  });
});
