import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines, splitProse } from './passages.ts';

const texts = (spans: ReturnType<typeof splitProse>): readonly string[] => spans.map(({ text }) => text);

describe('splitProse', () => {
  it('leaves a short text whole, and cuts a long line at its sentences', () => {
    expect(texts(splitProse(' Do it. Now! '))).toEqual(['Do it. Now!']);
    const first = `The first sentence ${'is long '.repeat(30)}indeed.`;
    const spans = splitProse(`${first} The second is short. "Third" one.`);
    expect(spans).toEqual([
      { text: first, joined: false },
      { text: 'The second is short.', joined: true },
      { text: '"Third" one.', joined: true },
    ]);
  });

  it('cuts Chinese and Japanese sentences', () => {
    const sentence = `${'必须保留每一个文件的原始内容'.repeat(6)}。`;
    expect(texts(splitProse(sentence.repeat(3)))).toEqual([sentence, sentence, sentence]);
  });

  it('sends a heading with the line below it', () => {
    expect(texts(splitProse('## Rules\n\nNo tabs.\nNo spaces.'))).toEqual(['Rules: No tabs.', 'No spaces.']);
    expect(texts(splitProse('**Rules:**\n- one\n# Last'))).toEqual(['Rules:: - one', 'Last']);
  });

  it('leaves out lines without a letter or digit', () => {
    expect(texts(splitProse('a\n---\n\n***\nb'))).toEqual(['a', 'b']);
  });

  it('cuts endless sentences at spaces', () => {
    const spans = splitProse('word '.repeat(500));
    for (const { text } of spans) {
      expect(text.length).toBeLessThanOrEqual(320);
      expect(text).toMatch(/^word( word)*$/);
    }
    expect(texts(spans).join(' ')).toBe('word '.repeat(500).trim());
  });

  it('gives single lines that stand in the source, never half a character', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom(
        '# Head',
        '**Bold**',
        'a. B! C? '.repeat(30),
        '😀'.repeat(400),
        '长句。'.repeat(80),
        'x\ry',
        'p\u2028q',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(line).map((lines) => lines.join('\n')),
        (source) => {
          for (const { text } of splitProse(source)) {
            expect(text.isWellFormed()).toBe(true);
            expect(text).not.toMatch(/[\n\r\u2028\u2029]/);
            // The first line below a heading has the heading before it.
            const pieces = [text, ...[...text.matchAll(/: /g)].map(({ index }) => text.slice(index + 2))];
            expect(pieces.some((piece) => source.includes(piece))).toBe(true);
          }
        },
      ),
    );
  });
});

describe('splitLines', () => {
  it('cuts a line that overwrites itself', () => {
    expect(texts(splitLines(['10 %\r20 %\rdone']))).toEqual(['10 %', '20 %', 'done']);
  });

  it('gives pieces of the lines, never half a character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 900, size: 'max' }), { maxLength: 5 }), (lines) => {
        for (const { text } of splitLines(lines)) {
          expect(text.isWellFormed()).toBe(true);
          expect(text.length).toBeLessThanOrEqual(320);
          expect(lines.some((source) => source.includes(text))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});
