import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutLineNumbers } from './line-numbers.ts';

const plain = (...lines: readonly string[]) => withoutLineNumbers(lines);

describe('withoutLineNumbers', () => {
  it.each<[string, readonly string[]]>([
    ['an arrow', ['    11→let a;', '    12→', '    13→let b;']],
    ['a frame', ['  > 11 │ let a;', '    12 │ ', '    13 │ let b;']],
    ['a tab', ['   11\tlet a;', '   12\t', '   13\tlet b;']],
    ['a colon', ['11: let a;', '12: ', '13: let b;']],
    ['a letter', ['L11: let a;', 'L12:', 'L13: let b;']],
    ['a bar', ['11|let a;', '12|', '13|let b;']],
    ['a search', ['11:let a;', '12-', '13-let b;']],
  ])('knows numbers with %s', (_, lines) => {
    expect(withoutLineNumbers(lines).map((line) => line.trim())).toEqual(['let a;', '', 'let b;']);
  });

  it('keeps how far a line is indented', () => {
    expect(plain('   1→if (a) {', '   2→  b();', '   3→}')).toEqual(['if (a) {', '  b();', '}']);
  });

  it('lets a search leave lines out', () => {
    expect(plain('4:let a;', '--', '90:let b;', '91-  c();', '--', '300:let d;')).toEqual([
      'let a;',
      '--',
      'let b;',
      '  c();',
      '--',
      'let d;',
    ]);
  });

  it.each([
    ['12: foo'],
    ['2031-01-02 opened', '2031-01-03 closed'],
    ['12:30 opened', '13:30 closed'],
    ['1.2.3', '1.2.4'],
    ['3 apples', '4 pears'],
    ['400\t./shop', '900\t./till'],
    ['7|ann', '9|bob', '12|eve'],
    ['9: nine', '3: three'],
    ['1 || 2', '2 || 3'],
    ['404: not found', '500: broken'],
  ])('leaves %j', (...lines) => expect(withoutLineNumbers(lines)).toEqual(lines));

  it('gives as many lines as it gets, each the end of its own', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,3}[:→|-]\w*$/))), (lines) => {
        const result = withoutLineNumbers(lines);
        expect(result.length).toBe(lines.length);
        for (const [at, line] of result.entries()) expect(lines[at]?.endsWith(line)).toBe(true);
      }),
    );
  });
});
