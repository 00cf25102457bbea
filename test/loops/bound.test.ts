import { expect, test } from 'vitest';
import { compactionBound } from '../../bench/loops/bound.ts';

test('a loop may compact once, and then as often as what is said fills what was freed', () => {
  expect(compactionBound({ said: 0, free: [400], room: 1_000 })).toBe(1);
  // 1.25 × 4,000 / 500 = 10.
  expect(compactionBound({ said: 4_000, free: [100, 500, 600], room: 1_000 })).toBe(11);
});

test('compactions that free almost nothing are measured by a quarter of the room', () => {
  // 1.25 × 4,000 / 250 = 20.
  expect(compactionBound({ said: 4_000, free: [1, 1, 1], room: 1_000 })).toBe(21);
});
