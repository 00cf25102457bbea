import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPiece, toPiece } from './piece.ts';

describe('a value as a piece of text', () => {
  it('comes back as it was, whatever JSON it is', () => {
    const long = fc.string({ minLength: 190, maxLength: 400, unit: 'grapheme' });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ a: long, b: fc.array(long) })), (value) => {
        expect(JSON.stringify(fromPiece(toPiece(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a long string once, and one object one object', () => {
    const block = { type: 'text', text: 'x'.repeat(300) };
    const piece = toPiece({ raw: { role: 'user', content: [block] }, parts: [{ raw: block, text: block.text }] });
    expect(piece.contents).toEqual([block.text]);
    const back = fromPiece(piece) as { raw: { content: unknown[] }; parts: { raw: unknown }[] };
    expect(back.parts[0]?.raw).toBe(back.raw.content[0]);
  });

  it.each([
    { $c: 0 },
    { $o: 0 },
    { $as: [] },
    { $url: 'x' },
    { $bytes: 1 },
    { deep: [{ $c: 'y'.repeat(300) }] },
    JSON.parse('{"__proto__": {"a": 1}}'),
  ])('does not take data for a mark: %j', (value) => {
    expect(JSON.stringify(fromPiece(toPiece(value)))).toBe(JSON.stringify(value));
  });

  it('keeps bytes and addresses', () => {
    const value = { data: new Uint8Array([0, 255, 128]), url: new URL('https://example.com/a?b=c') };
    expect(fromPiece(toPiece(value))).toEqual(value);
  });

  it('says what cannot be kept', () => {
    class Odd {}
    expect(() => toPiece({ m: new Odd() })).toThrow('got an object of class Odd; give it in its JSON form');
  });
});
