import { describe, expect, test } from 'vitest';
import { imageTokens } from './image.ts';

describe('tokens of an image', () => {
  test('in low detail are few, whatever the size', () => {
    expect(imageTokens(4_000, 4_000, 'low')).toBe(85);
    expect(imageTokens(null, null, 'low')).toBe(85);
  });

  test('of unknown size are those of a full screen', () => {
    expect(imageTokens(null, null, 'high')).toBe(1_600);
    expect(imageTokens(800, null, 'auto')).toBe(1_600);
  });

  test('follow the tiles of 512 pixels, published examples included', () => {
    // 1024 × 1024 is scaled to 768 × 768: four tiles. Area / 750 is larger: 1,398.
    expect(imageTokens(1_024, 1_024, 'high')).toBe(1_399);
    // 2048 × 4096 is scaled to 768 × 1536: six tiles; by area the long side shrinks to 1,568.
    expect(imageTokens(2_048, 4_096, 'high')).toBe(1_600);
    // A small icon is one tile, more than its area.
    expect(imageTokens(64, 64, 'auto')).toBe(255);
  });

  test('never fall below one tile nor above the ceiling of both formulas', () => {
    for (const width of [1, 100, 512, 513, 1_568, 3_000, 20_000]) {
      for (const height of [1, 100, 512, 513, 1_568, 3_000, 20_000]) {
        const tokens = imageTokens(width, height, 'high');
        expect(tokens).toBeGreaterThanOrEqual(255);
        expect(tokens).toBeLessThanOrEqual(1_600);
        expect(tokens).toBe(imageTokens(height, width, 'high'));
      }
    }
  });

  test('of an impossible size are those of an unknown size, never a number that is none', () => {
    expect(imageTokens(0, 0, 'high')).toBe(1_600);
    expect(imageTokens(-5, 10, 'high')).toBe(1_600);
    expect(imageTokens(Number.NaN, 10, 'high')).toBe(1_600);
  });
});
