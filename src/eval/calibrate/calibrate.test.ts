import { describe, expect, test } from 'vitest';
import { simulate } from '../../../test/eval/simulated.ts';
import { calibrate } from './calibrate.ts';
import { type Label, parseLabels } from './labels.ts';

describe('calibrate', () => {
  const runs = simulate({ seed: 1, fixtures: 20, runs: 1, passes: 1, judged: true });
  const cells = runs.flatMap(({ cells }) => cells.filter(({ arm }) => arm === 'candidate'));
  const label = (index: number, correct: (passed: boolean) => boolean, sample: Label['sample'] = 'random'): Label => {
    const { fixture, probe, judged } = cells[index]!;
    return {
      fixture,
      arm: 'candidate',
      pass: 1,
      run: 1,
      probe,
      sample,
      correct: correct(judged?.outcome === 'correct'),
    };
  };
  const passed = cells.flatMap(({ judged }, index) => (judged?.outcome === 'correct' ? [index] : []));
  const labels = (correct: (passed: boolean) => boolean): readonly Label[] => [
    ...cells.slice(0, 100).map((_, index) => label(index, correct)),
    ...passed
      .filter((index) => index >= 100)
      .slice(0, 60)
      .map((index) => label(index, correct, 'positive')),
  ];

  test('trusts a judge that agrees with people', () => {
    const result = calibrate(
      labels((judge) => judge),
      runs,
    );
    expect(result.reasons).toEqual([]);
    expect(result.agreement).toMatchObject({ exact: 1, kappa: 1, sensitivity: 1, specificity: 1 });
    expect(result.corrected?.score).toBeCloseTo(result.passed!, 12);
  });

  test('refuses a judge that passes what people fail', () => {
    let turn = 0;
    const result = calibrate(
      labels(() => turn++ % 2 === 0),
      runs,
    );
    expect(result.reasons.join('; ')).toMatch(/kappa/);
    expect(result.corrected).toBeNull();
  });

  test('refuses on few labels, and counts labels without an answer', () => {
    const result = calibrate([label(0, (judge) => judge), { ...label(1, () => true), probe: 'nope' }], runs);
    expect(result).toMatchObject({ unused: 1, labels: 2 });
    expect(result.reasons[0]).toMatch(/^1 labels of answers picked at random/);
    expect(calibrate([], runs).reasons).toEqual(['no label belongs to a graded answer of these runs']);
  });

  test('answers added because the judge passed them do not shift the rates', () => {
    // People fail a tenth of what the judge passes, and pass nothing that it fails.
    let turn = 0;
    const result = calibrate(
      labels((judge) => judge && ++turn % 10 !== 0),
      runs,
    );
    const share = cells.slice(0, 100).filter(({ judged }) => judged?.outcome === 'correct').length / 100;
    const all = result.confusion.bothPass + result.confusion.onlyJudge;
    const wrong = share * (result.confusion.onlyJudge / all);
    expect(result.agreement?.specificity).toBeCloseTo((1 - share) / (1 - share + wrong), 9);
  });

  test('reads JSON and CSV alike', () => {
    const json = '{"labels": [{"fixture": "a, b", "probe": "p1", "correct": true, "pass": 2, "sample": "positive"}]}';
    const csv = 'fixture,probe,correct,pass,sample\r\n"a, b",p1,yes,2,positive\r\n';
    expect(parseLabels(csv, 'l.csv')).toEqual(parseLabels(json, 'l.json'));
    expect(parseLabels(json, 'l.json')).toMatchObject([
      { fixture: 'a, b', arm: 'candidate', pass: 2, run: 1, correct: true },
    ]);
  });

  test.each([
    ['fixture,probe,correct\na,p1,maybe\n', 'l: line 2: '],
    ['fixture,probe\na,p1\n', 'l: expected a first row with names'],
    ['{"labels": 3}', 'l: expected a list of labels'],
    ['[{"fixture": "a"}]', 'l: label 1: '],
    ['{', 'l: expected labels as JSON or CSV'],
  ])('says what is wrong with %j', (text, sentence) => {
    expect(() => parseLabels(text, 'l')).toThrow(sentence);
  });
});
