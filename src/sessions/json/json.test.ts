import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from './fault.ts';
import { elementSpans, memberSpans } from './spans.ts';

describe('elementSpans and memberSpans', () => {
  it('find every value of any array and object, however it is printed', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (values, indent) => {
        const text = JSON.stringify(values, null, indent);
        const found = elementSpans(text, 0).map(({ start, end }) => JSON.parse(text.slice(start, end)) as unknown);
        expect(JSON.stringify(found)).toBe(JSON.stringify(values));
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value, null, 2);
        for (const [key, span] of memberSpans(text, 0)) {
          expect(text.slice(span.start, span.end).replace(/\s/gu, '')).toBe(
            JSON.stringify(value[key]).replace(/\s/gu, ''),
          );
        }
        expect([...memberSpans(text, 0).keys()].sort()).toEqual(Object.keys(value).sort());
      }),
    );
  });

  it('does not recurse', () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    expect(elementSpans(`[1,${deep}]`, 0)).toEqual([
      { start: 1, end: 2 },
      { start: 3, end: 3 + deep.length },
    ]);
  });
});

describe('findJsonFault', () => {
  it('agrees with JSON.parse on what is JSON', () => {
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const broken = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, more]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + more + text.slice(cut + 1);
    });
    const odd = fc.constantFrom(
      '01',
      '1.',
      '-',
      '1e',
      '.5',
      '+1',
      '{,}',
      '[1,]',
      '{"a":1,}',
      '"\\x"',
      '"\\u12"',
      'tru',
      'nulll',
      '1 2',
      '\u00a01',
      '"\t"',
    );
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, odd), (text) => {
        expect(findJsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('says of every prefix of a document that it is cut off', () => {
    const text = '{"a": [1.5e3, true, null, "x\\u00e9\\n"], "b": {}, "c": -2}';
    for (let length = 0; length < text.length; length += 1) {
      expect(findJsonFault(text.slice(0, length)), text.slice(0, length)).toMatchObject({
        offset: length,
        isTruncated: true,
      });
    }
  });
});
