/** The report is a function of the results: what it says of them, and that nothing is written without them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SurvivalRow } from '../../bench/peers/results.ts';
import { causeOf, UNKNOWN } from '../../bench/report/causes.ts';
import { inline, MOST_COLUMNS, right, table } from '../../bench/report/markdown.ts';
import { pageOf } from '../../bench/report/page.ts';
import { readmeFigures, withFigures } from '../../bench/report/readme-block.ts';
import { report } from '../../bench/report/report.ts';
import { projectOf } from '../../bench/report/rows.ts';
import { bestWith } from '../../bench/report/sections/best.ts';
import { costSentences } from '../../bench/report/sections/cost-sentences.ts';
import { sameSizeSentence } from '../../bench/report/sections/same-size.ts';
import { meaningOf } from '../../bench/report/sentences.ts';
import { survivalChart } from '../../bench/report/survival-chart.ts';
import { peers, sample, survivalRow } from './report-sample.ts';

const page = pageOf(sample);

describe('the page', () => {
  test('has its sections in order', () => {
    const headings = [...page.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    expect(headings).toEqual([
      'Words',
      'Conditions',
      'Findings',
      'Facts kept',
      'Where others are ahead',
      'Facts kept by kind and age',
      'When the summariser misbehaves',
      'What the views say about files',
      'Time and memory',
      'Soundness',
      'Not run',
      'Limits of this benchmark',
      'Speed and memory of precis',
      'Other measurements of precis',
      'When you change the engine',
    ]);
  });

  test('marks a row in which another keeps more, and lists it with gap and cause', () => {
    expect(page).toContain('| **92 %** ▲ |');
    expect(page).toMatch(/\| peer \| perfect +\| +5 \| +92 % \| +80 % \| 12 points \|/);
    expect(page).toMatch(/^- The perfect summariser knows the questions.* Applies to _peer_ \(perfect\) after 5\.$/m);
  });

  test('says what was lost, who waits, and who could not run, without breaking tables or tags', () => {
    expect(page).toMatch(/\| peer +\| threw +\| – +\| \*\*lost\*\*/);
    expect(page).toContain('- _peer_: refuses (the refusal | is the memory)');
    expect(page).toContain('_peer_, throws: 4 calls in 14 s');
    expect(page).toContain('- **broken**: Cannot find module &lt;x>');
  });

  test('names date, Node, versions and noise, whichever of two measurements was slower', () => {
    expect(page).toContain('2030-01-02, commit abc1234567, Node 24.0.0, 2 cores, 2 min in total');
    expect(page).toContain('(peer 1.2.3)');
    expect(page).toContain('a factor of 1.04 for a compaction and 1.25 for a turn');
  });

  test('names what is faster or lighter than precis', () => {
    expect(page).toContain('Arms that compact faster than precis (100 ms): _cut_ (10 ms).');
    expect(page).toContain('Arms that compact with less memory than precis (30 MB): _cut_ (5 MB).');
  });

  test('compares speed with the baseline, and says when growth is more than linear', () => {
    expect(page).toContain('fold at 10000 x5.00');
    expect(page).toContain('More than linear over all sizes: `fold` (time, 1.30: a little more than linear).');
    expect(pageOf({ ...sample, baseline: { ...sample.baseline, date: sample.speed.date } })).toContain(
      'This run is the baseline',
    );
  });

  test('has tables of few columns, all rows as wide as their head, and no tags', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('|'));
    for (const line of lines)
      expect(line.replaceAll('\\|', '').split('|').length - 2).toBeLessThanOrEqual(MOST_COLUMNS);
    expect(page.replaceAll(/<!--.*?-->/g, '')).not.toMatch(/<[a-z/]/i);
    expect(page).not.toMatch(/NaN|undefined|Infinity|null/);
  });

  test('has a table of the summariser that rewords, and says of the quotes that they suit precis', () => {
    const row = survivalRow({ arm: 'precis-model', teller: 'rewording', passes: 5, kept: 60 });
    const reworded = pageOf({ ...sample, peers: { ...peers, survival: [...peers.survival, row] } });
    expect(reworded).toContain('### With a perfect summariser that rewords');
    expect(reworded).toContain('(#with-a-perfect-summariser-that-rewords)');
    expect(page).toContain('The perfect summariser quotes, which suits precis');
    expect(page).not.toContain('that rewords');
  });

  test('can be made of results with next to nothing in them', () => {
    const empty = pageOf({
      ...sample,
      peers: {
        ...peers,
        arms: [],
        survival: [],
        files: [],
        misbehaviours: [],
        notRun: [],
        cost: { ...peers.cost, passes: [], turns: [] },
      },
    });
    expect(empty).toContain('Every arm ran.');
    expect(empty).toContain('no other arm keeps more facts');
    expect(empty).not.toMatch(/NaN|undefined|Infinity|null/);
  });
});

describe('sentences', () => {
  test('say who is best and how far precis is behind', () => {
    expect(bestWith(peers, 'none')).toEqual([
      'Without a model, precis keeps the most: 70 of 100 facts (70 %) after 5 compactions. _cut_ is next with 21 %, 49 points behind.',
    ]);
    expect(bestWith(peers, 'perfect')).toEqual([
      'When the model quotes every fact it sees, _peer_ keeps the most: 92 of 100 facts (92 %) after 5 compactions. **precis + model is 2nd of 2 with 80 %, 12 points behind.**',
    ]);
  });

  test('count comparisons with the code of other projects apart from those with our controls', () => {
    expect(sameSizeSentence(peers)).toBe(
      'At the exact view sizes of 1 compactor from 1 other project, precis keeps more facts in 2 of 4 comparisons, as many in 1 and fewer in 1. Its largest deficit is 12 points, against _peer_ with the perfect summariser after 5 compactions. At the exact view sizes of 1 control or imitation that we wrote, precis keeps more facts in 2 of 2 comparisons, as many in none and fewer in none. See [where others are ahead](#where-others-are-ahead).',
    );
    expect(sameSizeSentence({ ...peers, survival: peers.survival.filter(({ arm }) => arm === 'cut') })).toMatch(
      /^At the exact view sizes of 1 control or imitation that we wrote, precis keeps .* fewer in none\.$/,
    );
    expect(sameSizeSentence({ ...peers, survival: [] })).toBe('');
    const versions = ['@a/one 1', '@a/two 1', 'b 2'];
    const arms = peers.arms.slice(1).map((arm, at) => ({ ...arm, id: `${at}`, versions: versions.slice(at, at + 1) }));
    expect(arms.map(({ id }) => projectOf({ arms }, id))).toEqual(['@a', '@a', 'b', null]);
    expect(projectOf(peers, 'precis')).toBeNull();
    expect(projectOf(peers, 'cut')).toBeNull();
  });

  test('say where precis is behind in small views alone', () => {
    const row = survivalRow({
      arm: 'peer',
      teller: 'none',
      passes: 1,
      kept: 90,
      ours: { kept: 80, facts: 100, retained: 0.1 },
    });
    const small = { ...row, behind: [{ session: 'one', tokens: 2_000, facts: 10 }] };
    const large = { ...row, behind: [{ session: 'one', tokens: 2_001, facts: 10 }] };
    const said = (survival: readonly SurvivalRow[]): string => sameSizeSentence({ ...peers, survival });
    expect(said([small])).toContain('fewer in 1. There, it is behind only in views of at most 2,000 tokens.');
    expect(said([small, small])).toContain('fewer in 2. In all 2, it is behind only in views of at most 2,000 tokens.');
    expect(said([small, large])).toContain(
      'fewer in 2. In 1 of these, it is behind only in views of at most 2,000 tokens.',
    );
    expect(said([large])).toMatch(/fewer in 1\. Its largest deficit/);
    expect(causeOf(small)).toContain('only in views of at most 2,000 tokens');
  });

  test('say of times only what is beyond the noise, at every size', () => {
    expect(costSentences(peers)).toEqual([
      'precis takes 100 ms for a compaction of 100,000 tokens. Beyond noise, 1 of 2 other arms is faster and 1 is slower. The fastest, _cut_, takes 10 ms; the slowest, _peer_, takes 200 ms.',
      'precis takes 0.2 ms for a turn in a session of 10,000 tokens. Beyond noise, none of 1 other arm is faster and 1 is slower. The fastest, _peer_, takes 1 ms. precis takes 0.3 ms for a turn in a session of 100,000 tokens. Beyond noise, none of 1 other arm is faster and 1 is slower. The fastest, _peer_, takes 10 ms.',
    ]);
    const arms = peers.arms.map((arm) => ({ ...arm, counting: 'exact' }));
    const at = (ms: number, tokens: number) => ({ arm: 'peer', tokens, ms });
    const turns = [
      ...peers.cost.turns.filter(({ arm }) => arm === 'precis'),
      { arm: 'precis', tokens: 400_000, ms: 0.4 },
      at(0.1, 10_000),
      at(0.25, 100_000),
      at(4, 400_000),
    ];
    const results = { ...peers, arms, cost: { ...peers.cost, turns } };
    expect(costSentences(results)[2]).toBe(
      'Compared with the fastest other arm that counts tokens exactly, a precis turn is slower at 10,000 tokens (0.2 ms; _peer_ takes 0.1 ms), equally fast within noise at 100,000 tokens (0.3 ms; _peer_ takes 0.25 ms) and faster at 400,000 tokens (0.4 ms; _peer_ takes 4 ms).',
    );
    const behind = pageOf({ ...sample, peers: results });
    expect(behind).toContain(
      'Arms that handle a turn in a session of 10,000 tokens faster than precis (0.2 ms): _peer_ (0.1 ms).',
    );
    expect(behind).not.toContain('Arms that handle a turn in a session of 100,000 tokens');
  });

  test('do not call a view best that is larger than the others', () => {
    const large = survivalRow({ arm: 'cut', teller: 'none', passes: 5, kept: 99, retained: 0.3, tooLarge: 2 });
    const results = { ...peers, survival: [...peers.survival.filter(({ arm }) => arm === 'precis'), large] };
    expect(bestWith(results, 'none')[0]).toContain('precis keeps the most');
    expect(bestWith(results, 'none')[0]).toContain(
      '_cut_ is not ranked, because its views are larger than requested (30 % of the sessions); it keeps 99 %.',
    );
  });

  test('do not rank views that are much smaller than ours, and name them', () => {
    const row = (arm: string, kept: number, retained: number) =>
      survivalRow({ arm, teller: 'none', passes: 5, kept, retained });
    const survival = [row('precis', 70, 0.1), row('cut', 75, 0.069), row('peer', 60, 0.07)];
    expect(bestWith({ ...peers, survival }, 'none')).toEqual([
      'Without a model, precis keeps the most: 70 of 100 facts (70 %) after 5 compactions. _peer_ is next with 60 %, 10 points behind. _cut_ is not ranked, because its views are much smaller (6.9 % of the sessions); it keeps 75 %.',
    ]);
    const both = [row('precis', 70, 0.1), row('cut', 75, 0.02), row('peer', 60, 0.03)];
    expect(bestWith({ ...peers, survival: both }, 'none')[0]).toMatch(
      /\(70 %\) after 5 compactions\. _cut_ and _peer_ are not ranked, because their views are much smaller \(2 % and 3 % of the sessions\); they keep 75 % and 60 %\.$/,
    );
  });

  test('say what a row means', () => {
    const silent = peers.survival.find((row) => row.arm === 'peer' && row.teller === 'silent' && row.passes === 5);
    expect(silent && meaningOf(peers, silent)).toBe(
      'Keeps 21 of 100 facts after 5 compactions: content outside the summary is lost. The share falls from 40 % after 1 compaction to 21 %. At the same size, precis keeps 71 %, 50 points more than this arm.',
    );
  });

  test('say how much the model was shown, without calling it the cause', () => {
    const row = survivalRow({ arm: 'peer', teller: 'rewording', passes: 1, kept: 50, shown: 0.4 });
    expect(meaningOf(peers, row)).toContain('after 1 compaction; the model saw 40 % of the session.');
    expect(meaningOf(peers, { ...row, withSearch: { kept: 60, facts: 100 } })).toContain('(at most 1,500 tokens)');
  });

  test('of one pass, no facts, no limit, and a size that precis cannot do', () => {
    const row = survivalRow({ arm: 'peer', teller: 'perfect', passes: 1, kept: 1, facts: 1, allowed: null });
    expect(meaningOf({ ...peers, passes: [1] }, row)).toBe('Keeps 1 of 1 fact after 1 compaction.');
    expect(meaningOf(peers, { ...row, kept: 0, facts: 0 })).toContain('no facts to keep');
    expect(meaningOf(peers, { ...row, allowed: 500 })).toContain(
      'It allows a summary of 500 tokens per call on average.',
    );
    expect(meaningOf(peers, { ...row, retained: 0.03, ours: { kept: 1, facts: 1, retained: 0.08 } })).toContain(
      'At the same size, precis keeps as many (using 8 % of the session, because it cannot reach 3 %).',
    );
    expect(meaningOf(peers, { ...row, tooLarge: 1, threw: 2, skipped: 1 })).toContain(
      'Its view was more than a fifth larger than requested in 1 of 2 sessions, it threw twice and it declined to compact once.',
    );
  });

  test('admit a cause that nobody has looked for', () => {
    const byAge = { oldest: { kept: 5, facts: 5 }, middle: { kept: 5, facts: 5 }, newest: { kept: 0, facts: 5 } };
    expect(causeOf(survivalRow({ arm: 'peer', teller: 'none', passes: 1, kept: 10, byAge }))).toBe(UNKNOWN);
  });
});

test('a chart has a bar for each arm that ran', () => {
  const chart = survivalChart(peers);
  expect(chart.match(/height="14"/g)).toHaveLength(6);
  expect(chart).not.toMatch(/NaN|undefined/);
});

test('a table that nobody could read is refused, and cells cannot break it', () => {
  expect(() =>
    table(
      Array.from({ length: MOST_COLUMNS + 1 }, () => right('x')),
      [],
    ),
  ).toThrow('at most 9 columns');
  expect(table([right('n')], [['a|b\nc']])).toBe('|      n |\n| -----: |\n| a\\|b c |');
  expect(inline('<img>')).toBe('&lt;img>');
});

describe('the README', () => {
  test('quotes what is on the page', () => {
    const figures = readmeFigures(peers, sample.speed);
    const items = figures.split('\n').filter((line) => line.startsWith('- '));
    expect(items).toHaveLength(5);
    for (const item of items.slice(0, 4)) expect(page).toContain(item);
    expect(items[4]).toContain('1,000 ms');
    expect(page).toContain('| 1,000 ms |');
    expect(figures).toContain('](docs/benchmarks.md)');
  });

  test('keeps all but what is between the marks, and says when they are not there', () => {
    const before = 'a\n<!-- figures:begin -->\nold\n<!-- figures:end -->\nb';
    const after = withFigures(before, 'new', 'README.md');
    expect(after).toBe('a\n<!-- figures:begin -->\n\nnew\n\n<!-- figures:end -->\nb');
    expect(withFigures(after, 'new', 'README.md')).toBe(after);
    expect(() => withFigures('a', 'new', 'README.md')).toThrow(/README\.md: expected the marks .* found neither/);
    expect(() => withFigures('<!-- figures:end --><!-- figures:begin -->', 'n', 'R')).toThrow('the other way round');
  });
});

describe('the command', () => {
  let root = '';
  const write = (file: string, value: unknown): void =>
    writeFileSync(join(root, file), typeof value === 'string' ? value : JSON.stringify(value));

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'precis-report-'));
    mkdirSync(join(root, 'bench/results'), { recursive: true });
    write('README.md', 'x\n<!-- figures:begin -->\n<!-- figures:end -->\n');
    write('bench/results/peers.json', sample.peers);
    write('bench/results/speed.json', sample.speed);
    write('bench/results/own.json', sample.own);
    write('bench/baseline.json', sample.baseline);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const run = (mode: 'write' | 'check') => report(root, mode, sample.descriptions);

  test('checks without writing, writes, and then finds nothing to do', () => {
    expect(run('check')).toMatchObject({ code: 1 });
    expect(() => readFileSync(join(root, 'docs/benchmarks.md'))).toThrow();
    expect(run('write')).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')).toBe(page);
    expect(run('check')).toMatchObject({ code: 0 });
    expect(run('write').lines).toEqual(['Nothing has changed.']);
    write('docs/benchmarks.md', `${page}by hand`);
    expect(run('check')).toEqual({
      code: 1,
      lines: ['docs/benchmarks.md does not match the results: run npm run bench:report'],
    });
  });

  test('names the file that is missing or malformed, and writes nothing', () => {
    write('bench/results/own.json', '{');
    expect(run('write')).toMatchObject({
      code: 2,
      lines: [expect.stringContaining('bench/results/own.json: expected JSON')],
    });
    rmSync(join(root, 'bench/results/speed.json'));
    expect(run('write').lines[0]).toContain('bench/results/speed.json: expected results of `npm run bench -- --save`');
    write('bench/results/peers.json', { ...sample.peers, sessions: [{ name: 'one', tokens: 'many', facts: 1 }] });
    expect(run('write').lines[0]).toMatch(
      /^bench\/results\/peers\.json: `sessions\.0\.tokens` is not what was expected/,
    );
    expect(() => readFileSync(join(root, 'docs/benchmarks.md'))).toThrow();
  });
});
