import { describe, expect, it } from 'vitest';
import { FLOOD_LINE, REFUSAL } from '../../bench/peers/summariser.ts';
import type { BenchFact, WireMessage } from '../../bench/peers/types.ts';
import { type Evidence, verdictOf } from '../../bench/peers/verdict.ts';

const fact = (kind: string, needle: string): BenchFact => ({
  id: needle,
  kind,
  question: '',
  needles: [needle],
  position: 0,
});
const user = (content: string): WireMessage => ({ role: 'user', content });

const BEFORE = [user('Never push. Only use tabs. The port is 8437.'), user('Go on.')];

function judge(view: readonly WireMessage[], more: Partial<Evidence> = {}, error: string | null = null): string {
  const { verdict, detail } = verdictOf({
    chain: { before: BEFORE, view, error, outcomes: [error === null ? 'compacted' : 'threw'] },
    tokens: 100,
    window: 1_000,
    constraints: [fact('constraint', 'Never push'), fact('constraint', 'Only use tabs')],
    work: [fact('value', 'port is 8437'), fact('value', 'commit 7be41c9')],
    ...more,
  });
  return `${verdict}: ${detail}`;
}

describe('a verdict', () => {
  it.each([
    ['nothing changed', BEFORE, 'kept: nothing changed, no error'],
    [
      'all is there',
      [user('Never push. Only use tabs.'), user('port is 8437')],
      'fell-back: all constraints, 1 of 2 facts of the work',
    ],
    ['a constraint is gone', [user('Never push. port is 8437')], 'lost: 1 of 2 constraints lost'],
    ['the work is gone', [user('Never push. Only use tabs.')], 'lost: no fact of the work is left'],
    ['a refusal', [user(`Never push. Only use tabs. ${REFUSAL}`)], 'lost: the refusal replaced the history'],
    ['a flood', [user(`Never push. Only use tabs. ${FLOOD_LINE.repeat(3)}`)], 'lost: the flood replaced the history'],
    [
      'half a sentence',
      [user('## Goal\n- The work that was asked for, as far as it')],
      'lost: the half sentence replaced the history',
    ],
    ['an error as text', [user('Summary: Error generating summary: 500')], 'lost: the error text replaced the history'],
  ])('%s', (_, view, expected) => {
    expect(judge(view)).toBe(expected);
  });

  it('tells an error from silence when nothing changed', () => {
    expect(judge(BEFORE, {}, '500 out of order')).toBe('threw: error: 500 out of order');
    expect(judge(BEFORE, {}, 'x'.repeat(200))).toHaveLength('threw: error: '.length + 91);
  });

  it('looks at the view and not at the error when both are there', () => {
    expect(judge([user('port is 8437')], {}, '500')).toBe('lost: 2 of 2 constraints lost');
  });

  it('calls a view lost that no longer fits, whatever it says', () => {
    expect(judge(BEFORE, { tokens: 5_000 })).toBe('lost: the view no longer fits the window: 5,000 tokens');
  });
});
