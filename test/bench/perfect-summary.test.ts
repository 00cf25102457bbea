import { describe, expect, it } from 'vitest';
import { perfectSummary } from '../../bench/peers/summariser.ts';
import { folded } from '../../bench/peers/text.ts';
import type { BenchFact } from '../../bench/peers/types.ts';
import { o200k } from '../../src/models/o200k.ts';

const fact = (kind: string, ...needles: readonly string[]): BenchFact => ({
  id: needles.join(),
  kind,
  question: '',
  needles,
  position: 0,
});

describe('the perfect summary', () => {
  const shown = 'user: Never push to main. Thanks.\ntool: listening on port 8437\nassistant: Done.';

  it('says the facts that it was shown, under their headings', () => {
    const text = perfectSummary(shown, [fact('constraint', 'Never push to main'), fact('value', 'port 8437')], 4_000);
    expect(text).toContain('## Constraints & Preferences\n- user: Never push to main.');
    expect(text).toContain('## Critical Context\n- tool: listening on port 8437');
  });

  it('says nothing that it was not shown', () => {
    const text = perfectSummary(
      shown,
      [fact('value', 'port 9999'), fact('value', 'port 8437', 'commit 7be41c9')],
      4_000,
    );
    expect(text).toBe('## Goal\n- The work that the user asked for.');
  });

  it('quotes, and invents no words between', () => {
    const facts = [fact('constraint', 'Never push to main'), fact('value', 'port 8437')];
    const lines = perfectSummary(shown, facts, 4_000).split('\n');
    const quotes = lines.filter((line) => line.startsWith('- ') && !line.includes('asked for'));
    expect(quotes.filter((line) => !folded(shown).includes(line.slice(2)))).toEqual([]);
  });

  it('keeps its budget, and says more with more', () => {
    const words = Array.from({ length: 200 }, (_, n) => `The value of run ${n} is ${n * 7919}.`);
    const facts = words.map((line) => fact('value', line));
    const short = perfectSummary(words.join('\n'), facts, 500);
    expect(o200k.count(short)).toBeLessThanOrEqual(500);
    const long = perfectSummary(words.join('\n'), facts, 2_000);
    expect(o200k.count(long)).toBeLessThanOrEqual(2_000);
    expect(long.split('\n').length).toBeGreaterThan(short.split('\n').length);
  });
});
