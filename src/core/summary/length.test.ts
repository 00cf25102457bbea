import { describe, expect, test } from 'vitest';
import { lengthFor, lengthsOfParts } from './length.ts';

describe('the length to ask for', () => {
  test('grows with the room and leaves quotes at least as much', () => {
    const lengths = [2_000, 20_000, 60_000].map((room) => lengthFor({ room, folded: 1_000_000, previous: 0 }));
    expect(lengths).toEqual([1_000, 10_000, 30_000]);
  });

  test('follows what is folded when there is more room than it deserves', () => {
    expect(lengthFor({ room: 100_000, folded: 10_000, previous: 0 })).toBe(2_000);
  });

  test('leaves the lines so far their place when little is new', () => {
    expect(lengthFor({ room: 20_000, folded: 1_000, previous: 6_000 })).toBe(6_200);
  });

  test('is never so short that nothing can be said', () => {
    expect(lengthFor({ room: 300, folded: 100_000, previous: 0 })).toBe(400);
  });
});

describe('the lengths of parts', () => {
  const parts = [{ tokens: 30_000 }, { tokens: 30_000 }, { tokens: 10_000 }];

  test('follow what each part holds, and add up to the whole', () => {
    expect(lengthsOfParts(7_000, parts, { previous: 0, most: 8_000 })).toEqual([3_000, 3_000, 1_000]);
  });

  test('give the lines so far to the part that takes them over', () => {
    expect(lengthsOfParts(9_000, parts, { previous: 2_000, most: 8_000 })).toEqual([5_000, 3_000, 1_000]);
  });

  test('never exceed what a model can answer', () => {
    expect(lengthsOfParts(70_000, parts, { previous: 0, most: 8_000 })).toEqual([8_000, 8_000, 8_000]);
  });
});
