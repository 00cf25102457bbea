import { describe, expect, test } from 'vitest';
import { simulate } from '../../../test/eval/simulated.ts';
import { floorsOf, noise } from './noise.ts';

describe('noise', () => {
  test('of a compactor without chance is none', () => {
    const report = noise(simulate({ seed: 1, runs: 10, compactionNoise: 0 }));
    expect(report.rows.find(({ id }) => id === 'visible')).toMatchObject({ deviation: 0, floor: 0, dominant: 'none' });
    expect(report).toMatchObject({ runs: 10, caps: [] });
  });

  test('finds that compactions move all probes, and holds for the next runs', () => {
    const report = noise(simulate({ seed: 1, runs: 10, compactionNoise: 2 }));
    const row = report.rows.find(({ id }) => id === 'visible')!;
    expect(row.dominant).toBe('compaction');
    expect(row.compactionVariance).toBeGreaterThan(0);
    let outside = 0;
    for (let seed = 0; seed < 100; seed++) {
      const two = noise(simulate({ seed: 100 + seed, runs: 2, compactionNoise: 2 })).rows.find(
        ({ id }) => id === 'visible',
      )!;
      if (two.greatest - two.least > row.floor) outside++;
    }
    expect(outside).toBeLessThan(20);
  });

  test('finds that the judge wavers when the same answers get other grades', () => {
    const report = noise(simulate({ seed: 1, runs: 10, judged: true, compactionNoise: 0 }));
    const row = report.rows.find(({ id }) => id === 'dimension:accuracy')!;
    expect(row.dominant).toBe('judge');
    expect(row.judgeVariance).toBeGreaterThan(0.1);
    expect(report.advice).toContain('judge');
    expect(floorsOf(report)['dimension:accuracy']).toBeCloseTo(row.floor / Math.sqrt(10), 12);
  });

  test('warns of few runs', () => expect(noise(simulate({ seed: 1, runs: 3 })).caps[0]).toContain('3 runs'));
});
