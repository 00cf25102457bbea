import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/work/cpu-time.ts';
import { o200k } from '../../models/o200k.ts';
import { heuristicCounter } from './counter.ts';

const SAMPLES: Readonly<Record<string, string>> = {
  prose: 'The effective window is the smallest of the chain, so that a fallback can take over at any moment. '.repeat(
    20,
  ),
  code: 'export function clamp(value: number, least: number, most: number): number {\n  return Math.min(Math.max(value, least), most);\n}\n'.repeat(
    20,
  ),
  json: '{"id":"call_8f3a","name":"read_file","arguments":{"path":"src/core/tokens/window.ts","offset":120,"limit":40}}\n'.repeat(
    20,
  ),
  log: '2026-11-15T08:47:12.331Z INFO  [worker-3] GET /api/v1/items/4821 200 in 34 ms (cache=miss)\n'.repeat(20),
  russian: 'Сжатие контекста должно сохранять все факты, которые понадобятся агенту позже. '.repeat(20),
  chinese: '上下文压缩必须保留代理以后需要的所有事实和限制条件。'.repeat(20),
};

describe('the heuristic counter', () => {
  test.each(Object.keys(SAMPLES))('is within 30 percent of the exact count on %s', (name) => {
    const text = SAMPLES[name] ?? '';
    const exact = o200k.count(text);
    const ratio = heuristicCounter.count(text) / exact;
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.3);
  });

  test('is too low on base64, by at most 40 percent', () => {
    const text = Buffer.from('The quick brown fox 0123456789 jumps over the lazy dog; ÄÖÜ!'.repeat(9)).toString(
      'base64',
    );
    expect(heuristicCounter.count(text) / o200k.count(text)).toBeGreaterThan(0.6);
  });

  test('counts nothing as nothing, and anything as something', () => {
    expect(heuristicCounter.count('')).toBe(0);
    expect(heuristicCounter.count('a')).toBe(1);
    expect(heuristicCounter.count(' '.repeat(1_000))).toBeGreaterThan(0);
  });

  test('grows with the text', () => {
    const text = SAMPLES['code'] ?? '';
    let last = 0;
    for (let length = 0; length <= text.length; length += 97) {
      const tokens = heuristicCounter.count(text.slice(0, length));
      expect(tokens).toBeGreaterThanOrEqual(last);
      last = tokens;
    }
  });

  test('is linear: ten million characters in under two seconds', async () => {
    const text = 'a1 ='.repeat(2_500_000);
    expect(await cpuMsOf(() => heuristicCounter.count(text))).toBeLessThan(2_000);
  });
});
