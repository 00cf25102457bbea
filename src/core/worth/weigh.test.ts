import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { recordHistory } from '../facts/history-record.ts';
import { substanceOf } from '../language/names.ts';
import type { SummedEntry } from '../record/entry.ts';
import { emphasize, type LearnedWorth, type Weighed, weigh, withLines } from './weigh.ts';

const session = build()
  .user('Move the pump to P-2. Never touch bed 3.')
  .assistant('I look at the schedule.')
  .call('read_file', { path: 'schedule.yaml' })
  .result('pump: P-1\nbed: 3\nstart: 05:10')
  .assistant('The pump is P-1. I change it to P-2.');
const { entries } = recordHistory(session.decode(openaiChat).messages);

const NOTHING: LearnedWorth = { passages: { features: [], trees: [] }, terms: { features: [], trees: [] } };

function statementOf({ passages, entries: own }: Weighed, words: string): number {
  return (
    passages.find(({ entry, index }) => own[entry]?.passages[index]?.text.includes(words))?.statement ?? Number.NaN
  );
}

describe('weigh', () => {
  it('gives statements a mean worth of 1, whatever was learned', () => {
    for (const learned of [NOTHING, undefined]) {
      const { passages } = weigh(entries, learned);
      const sum = passages.reduce((total, { statement }) => total + statement, 0);
      expect(sum / passages.length).toBeCloseTo(1, 6);
    }
  });

  it('follows the trees: more where they answer more', () => {
    const users: LearnedWorth = { ...NOTHING, passages: { features: ['voice:user'], trees: [[0, 0.5, -1, 1]] } };
    const weighed = weigh(entries, users);
    expect(statementOf(weighed, 'Never touch') / statementOf(weighed, 'pump: P-1')).toBeCloseTo(4, 6);
  });

  it('gives the name of a speaker no worth of its own', () => {
    const { passages, entries: own } = weigh(entries);
    const speakers = passages.filter(({ entry, index }) => index < 0 && own[entry]?.type === 'said');
    expect(speakers.length).toBeGreaterThan(0);
    expect(speakers.every(({ statement }) => statement === 0)).toBe(true);
  });

  it('refuses weights for a feature that does not exist', () => {
    const wrong: LearnedWorth = { ...NOTHING, terms: { features: ['colour'], trees: [[0, 1, 0, 1]] } };
    expect(() => weigh(entries, wrong)).toThrow('colour');
  });
});

describe('emphasize', () => {
  it('raises the passages that state critical facts, and no others', () => {
    const weighed = weigh(entries);
    const stressed = emphasize(weighed, new Map([[1, new Map([[0, 5]])]]));
    expect(statementOf(stressed, 'Never touch') / statementOf(weighed, 'Never touch')).toBeCloseTo(5, 6);
    expect(statementOf(stressed, 'pump: P-1')).toBe(statementOf(weighed, 'pump: P-1'));
  });
});

describe('withLines', () => {
  const line = (text: string): SummedEntry => ({
    type: 'summed',
    number: 0,
    heading: '',
    section: 'done',
    factor: 1,
    passages: [{ voice: 'summary', text, joined: false }],
  });

  it('weighs a line by the names in it, and counts only terms that the history says', () => {
    const weighed = weigh(entries);
    const both = withLines(weighed, [line('Things were improved'), line('`P-2` replaced `P-1` in schedule.yaml')]);
    const [vague, exact] = both.passages.slice(-2);
    expect(vague?.statement).toBeLessThan(exact?.statement ?? 0);
    expect(vague?.terms).toEqual([]);
    expect(exact?.terms.length).toBeGreaterThan(0);
    expect(both.termWeights).toBe(weighed.termWeights);
  });
});

describe('the substance of a line', () => {
  it.each([
    ['Several things were improved', 0],
    ['The limit is 250', 0.5],
    ['`maxKeys` in src/limiter.ts is 10000', 1],
  ])('%s', (line, substance) => {
    expect(substanceOf(line)).toBe(substance);
  });
});
