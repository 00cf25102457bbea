import { describe, expect, it } from 'vitest';
import { Vocabulary } from './terms.ts';

describe('Vocabulary', () => {
  it('folds words to a stem and leaves out what every text says', () => {
    const words = new Vocabulary();
    expect(words.terms('failing tests')).toEqual(words.terms('Failed test'));
    expect(words.terms('the and of it')).toEqual([]);
  });

  it('takes names as they are, and a path also by its last part', () => {
    const words = new Vocabulary();
    const [path, file] = words.terms('src/core/plan.ts');
    expect(words.terms('plan.ts')).toEqual([file]);
    expect(words.terms('src/core/plan.ts')).toContain(path);
    expect(words.sortOf(path ?? -1)).toBe('name');
    expect(words.terms('orderId')).not.toEqual(words.terms('orderid'));
  });

  it('tells numbers from names and keeps different numbers apart', () => {
    const words = new Vocabulary();
    const [hundred] = words.terms('100');
    expect(words.sortOf(hundred ?? -1)).toBe('number');
    expect(words.terms('500')).not.toContain(hundred);
    expect(words.terms('3f9a2b1c').map((term) => words.sortOf(term))).toEqual(['name']);
  });

  it('cuts texts without spaces into pairs of characters', () => {
    const words = new Vocabulary();
    expect(words.terms('限流器')).toHaveLength(2);
    expect(words.terms('流器')).toEqual([words.terms('限流器')[1]]);
  });
});
