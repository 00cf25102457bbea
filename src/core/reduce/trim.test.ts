import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refOfText } from '../conversation/ref.ts';
import { trimText } from './trim.ts';

const ref = refOfText('whole');
const lines = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `step ${at} went by quietly`);

describe('trimText', () => {
  it('leaves a text that fits alone', () => {
    expect(trimText('a\nb', 800, ref)).toBe('a\nb');
  });

  it('keeps the beginning, the end and the lines between that tell something', () => {
    const text = lines(500).toSpliced(250, 0, 'Error: no such table orders', '12 passed, 3 failed').join('\n');
    const short = trimText(text, 1_000, ref).split('\n');
    expect(short[0]).toBe('step 0 went by quietly');
    expect(short.at(-1)).toBe('step 499 went by quietly');
    expect(short).toContain('Error: no such table orders');
    expect(short).toContain('12 passed, 3 failed');
    const note = short.find((line) => line.startsWith('[precis: ')) ?? '';
    expect(note).toContain(ref);
    expect(note).toContain(`${502 - (short.length - 1)} lines left out`);
  });

  it('cuts endless lines without parting a character', () => {
    const short = trimText(`${'😀'.repeat(999)}x\n${lines(100).join('\n')}`, 2_000, ref);
    expect(short.isWellFormed()).toBe(true);
  });

  it('is never longer, the same every time, and the same when done twice', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom('Error: x', '3 tests failed', 'y'.repeat(700), '{"a":1}'),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 120, size: 'max' }),
        fc.integer({ min: 800, max: 3_000 }),
        (all, chars) => {
          const text = all.join('\n');
          const short = trimText(text, chars, ref);
          expect(short.length).toBeLessThanOrEqual(text.length);
          expect(trimText(text, chars, ref)).toBe(short);
          expect(trimText(short, chars, ref)).toBe(short);
        },
      ),
    );
  });
});
