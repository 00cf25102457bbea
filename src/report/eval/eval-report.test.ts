import { describe, expect, test } from 'vitest';
import { simulate } from '../../../test/eval/simulated.ts';
import { calibrate } from '../../eval/calibrate/calibrate.ts';
import { type Comparison, compare, passGate } from '../../eval/compare/compare.ts';
import { noise } from '../../eval/compare/noise.ts';
import { aggregate } from '../../eval/results/aggregate.ts';
import type { RunResult } from '../../eval/types.ts';
import { markdown, plain, shorten, xml } from '../escape.ts';
import { wrapped } from '../text-table.ts';
import { calibrateText } from './calibrate-text.ts';
import { compareMarkdown, compareText, headline } from './compare-text.ts';
import { evalReportFiles, withoutSecrets } from './files.ts';
import { evalJunit } from './junit.ts';
import { evalMarkdown } from './markdown.ts';
import { noiseText } from './noise-text.ts';
import { evalStepSummary } from './step-summary.ts';
import { evalText } from './text.ts';

const judged = simulate({ seed: 1, fixtures: 3, judged: true, label: 'new prompt' });
const plain2 = simulate({ seed: 1, fixtures: 2, runs: 1 });
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => [...line].length));

function compared(a: readonly RunResult[], b: readonly RunResult[]): Comparison {
  const result = compare(a, b, { resamples: 300 });
  if (result.type === 'refused') throw new Error('refused');
  return result;
}

describe('report.md', () => {
  test('has the table of the original design, and the rows add up', () => {
    const text = evalMarkdown(aggregate(judged));
    expect(text).toMatch(/^# Compaction eval: new prompt\n/);
    expect(text).toContain('**judge: judge**');
    expect(text).toContain('3 runs, medians reported');
    expect(text).toContain(
      '| Fixture | Accuracy | Context | Artifact | Complete | Continuity | Instruction | Overall |',
    );
    const row = /^\| fixture-1 \| (.+) \|$/m.exec(text)![1]!.split(' | ').map(Number);
    expect(row.slice(0, 6).reduce((sum, grade) => sum + grade, 0) / 6).toBeCloseTo(row[6]!, 1);
    expect(text).toContain('## Per-probe misses (score < 3.0)');
    expect(text).toMatch(/With 30 probes, a comparison can be expected to show differences of \d+ points/);
  });

  test('without a judge lists what was lost', () => {
    const text = evalMarkdown(aggregate(plain2));
    expect(text).not.toContain('| Accuracy |');
    expect(text).toContain('## Survival of facts');
    expect(text).toMatch(/## Lost facts\n\n- fixture-1 \/ p\d+(?: \(pass 2\))?: value of p\d+: lost \(not found\)/);
  });

  test('names a miss with its score and note', () => {
    const low = judged.map((run) => ({
      ...run,
      cells: run.cells.map((cell) => {
        const grades = cell.judged?.grades ?? null;
        if (cell.probe !== 'p3' || cell.judged === null || grades === null) return cell;
        const none = Object.fromEntries(Object.keys(grades).map((key) => [key, 1])) as typeof grades;
        return { ...cell, judged: { ...cell.judged, grades: none, note: 'wrong <file>' } };
      }),
    }));
    expect(evalMarkdown(aggregate(low))).toContain('- fixture-1 / p3: 1.0 — wrong &lt;file&gt;');
  });
});

test('the table for people fits into 80 columns, also with long names', () => {
  const long = [...judged, ...plain2].map((run, index) => ({
    ...run,
    label: `label ${'x'.repeat(30)}`,
    run: index + 1,
    states: run.states.map((state) => ({
      ...state,
      arm: state.role === 'candidate' ? `my-${'very-'.repeat(12)}long-arm` : state.arm,
    })),
    cells: run.cells.map((cell) => ({
      ...cell,
      arm: cell.arm === 'candidate' ? `my-${'very-'.repeat(12)}long-arm` : cell.arm,
    })),
  }));
  for (const runs of [judged, plain2, long]) expect(widest(evalText(aggregate(runs)))).toBeLessThanOrEqual(80);
});

describe('a comparison', () => {
  const run = { seed: 1, runs: 1, compactionNoise: 0, easy: true };
  const dropped = simulate({ ...run, label: 'B|ad', plant: ({ type }) => (type === 'artifact' ? 'lost' : null) });
  const result = compared(simulate({ ...run, label: 'main' }), dropped);

  test('says in its first sentence what got worse, and where', () => {
    expect(headline(result)).toMatch(
      /^Regressed in visible survival \(−20\.0 points\)\. Mostly in artifact probes \(100 % of it\), path facts/,
    );
    expect(headline(result)).toContain('Regressed: survival with recall, artifact probes.');
  });

  test('fits into 80 columns', () => {
    const text = compareText(result, passGate(result, 'regression'));
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text).toContain('Gate regression: failed');
  });

  test('in Markdown has whole tables', () => {
    const text = compareMarkdown(result);
    expect(text).toContain('## main → B\\|ad: regressed');
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(rows.map((line) => line.replaceAll('\\|', '').split('|').length)).size).toBe(1);
  });

  test('never says that there is no difference', () => {
    for (const other of [simulate(run), simulate({ seed: 7 })]) {
      const text = compareText(compared(simulate({ ...run, seed: 3 }), other));
      expect(text).not.toMatch(/no difference/i);
    }
  });

  test('undecided says what it would need', () => {
    expect(compareText(compared(simulate({ seed: 1 }), simulate({ seed: 2 })))).toMatch(
      /To decide, about [\d,]+ more probes? or/,
    );
  });
});

test('noise and calibration fit into 80 columns', () => {
  expect(widest(noiseText(noise(judged)))).toBeLessThanOrEqual(80);
  expect(noiseText(noise(judged))).toContain('Careful: 3 runs');
  const text = calibrateText(
    calibrate(
      [{ fixture: 'fixture-1', arm: 'candidate', pass: 1, run: 1, probe: 'p1', correct: true, sample: 'random' }],
      judged,
    ),
  );
  expect(widest(text)).toBeLessThanOrEqual(80);
  expect(text).toContain('The judge is not to be trusted yet:');
});

describe('what stands in a session', () => {
  const nasty =
    'a|b <img src=x> `c` *d* @octocat \u001b[31m\u0000 ]]> & "q" \ud800 ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';
  const runs = plain2.map((run) => ({
    ...run,
    label: nasty,
    cells: run.cells.map((cell) => ({
      ...cell,
      facts: cell.facts.map((fact) => ({ ...fact, value: nasty, note: nasty })),
    })),
  }));
  const files = evalReportFiles(aggregate(runs), runs);

  test('breaks no report', () => {
    expect(files['report.md']).not.toContain('<img');
    expect(files['report.md']).not.toContain('@octocat');
    for (const text of [files['report.md'], files['junit.xml'], evalText(aggregate(runs))])
      for (const character of ['\u0000', '\u001b']) expect(text).not.toContain(character);
    const xmlText = files['junit.xml'].replaceAll(
      /<(?:\?xml [^<>]*\?|\/?(?:testsuites?|testcase|failure)(?: [a-z]+="[^"<>]*")*\/?)>/g,
      '',
    );
    expect(xmlText).not.toMatch(/[<>]/);
    expect(xmlText).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/);
  });

  test('leaves no secret in a report', () => {
    for (const text of Object.values(files)) expect(text).not.toContain('ghp_0123456789');
    expect(JSON.stringify(withoutSecrets(aggregate(runs)))).toBe(JSON.stringify(JSON.parse(files['report.json'])));
  });

  test('escapes by itself', () => {
    expect(markdown('a|b_c')).toBe('a\\|b\\_c');
    expect(xml('<a b="c">&')).toBe('&lt;a b=&quot;c&quot;&gt;&amp;');
    expect(plain('a\n\tb')).toBe('a b');
    expect(shorten('abcdef', 4)).toBe('abc…');
    expect(wrapped('ten points of 5 % it', 15)).toEqual(['ten points of', '5 % it']);
  });
});

test('JUnit counts what it lists', () => {
  const text = evalJunit(aggregate(plain2), plain2);
  for (const [, suite = ''] of text.matchAll(/<testsuite (.*?)<\/testsuite>/gs)) {
    expect(Number(/tests="(\d+)"/.exec(suite)![1])).toBe(suite.split('<testcase').length - 1);
    expect(Number(/failures="(\d+)"/.exec(suite)![1])).toBe(suite.split('<failure').length - 1);
  }
});

test('the summary of a step is one line and the report', () => {
  const text = evalStepSummary(aggregate(plain2));
  expect(text).toMatch(/^### precis eval: simulated\n\n\*\*\d+\.\d %\*\* of what was asked for is visible/);
  expect(text).toContain('<details><summary>Report</summary>\n\n# Compaction eval');
});
