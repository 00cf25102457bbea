import { describe, expect, test } from 'vitest';
import { type Simulation, simulate } from '../eval/simulated.ts';
import { type FakeWorldOptions, precis, type Ran } from './fake-world.ts';

function filesOf(folder: string, simulation: Simulation): Record<string, string> {
  return Object.fromEntries(
    simulate({ ...simulation, label: folder }).map((run) => [
      `${folder}/${run.fixture}-run-${run.run}.json`,
      JSON.stringify(run),
    ]),
  );
}

const base = { seed: 1, runs: 1, compactionNoise: 0, easy: true };
const files = {
  ...filesOf('main', base),
  ...filesOf('same', base),
  ...filesOf('worse', { ...base, plant: ({ type }) => (type === 'artifact' ? 'lost' : null) }),
  ...filesOf('other', { ...base, provenance: { bankDigest: 'another' } }),
  ...filesOf('tiny', { ...base, fixtures: 1, passes: 1 }),
  ...filesOf('judged', { ...base, judged: true }),
};
const folders = ['.', 'main', 'same', 'worse', 'other', 'tiny', 'judged', 'empty'];
const run = (args: readonly string[], options: FakeWorldOptions = {}): Promise<Ran> =>
  precis([...args], { folders, ...options, files: { ...files, ...options.files } });
const quick = ['--resamples', '300'];

describe('precis compare', () => {
  test('says the verdict and where it comes from', async () => {
    const { code, out, err } = await run(['compare', 'main', 'worse', ...quick]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Regressed in visible survival (−20.0 points). Mostly in artifact probes');
  });

  test('takes single files', async () => {
    const { code, out } = await run(['compare', 'main/fixture-1-run-1.json', 'main/fixture-1-run-1.json', ...quick]);
    expect(code).toBe(0);
    expect(out).toContain('Equivalent in visible survival');
  });

  test.each([
    ['worse', 'regression', 1, 'precis: the gate `regression` failed: regressed: visible survival'],
    ['worse', 'noninferior', 1, 'precis: the gate `noninferior` failed'],
    ['same', 'regression', 0, ''],
    ['same', 'noninferior', 0, ''],
    ['tiny', 'regression', 2, 'precis: the gate `regression` cannot be decided: 10 paired probes'],
  ])('%s with --fail-on %s exits with %d', async (other, gate, exit, sentence) => {
    const { code, err } = await run(['compare', 'main', other, '--fail-on', gate, ...quick]);
    expect(code).toBe(exit);
    expect(err.startsWith(sentence)).toBe(true);
  });

  test('refuses what measures different things, and says what differs', async () => {
    const { code, out, err } = await run(['compare', 'main', 'other', ...quick]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('precis: main and other cannot be compared: the probe bank of fixture-1 differs');
    expect(err).toContain('`--allow-mismatch`');
    const allowed = await run(['compare', 'main', 'other', '--allow-mismatch', ...quick]);
    expect(allowed.code).toBe(0);
    expect(allowed.out).toContain('Verdicts are held at inconclusive: the probe bank');
  });

  test('prints JSON, also of a refusal', async () => {
    const { out } = await run(['compare', 'main', 'worse', '--json', '--fail-on', 'regression', ...quick]);
    expect(JSON.parse(out)).toMatchObject({
      type: 'compared',
      primary: { verdict: 'regressed' },
      gate: { passed: false },
    });
    const refused = await run(['compare', 'main', 'other', '--json']);
    expect(JSON.parse(refused.out)).toMatchObject({ type: 'refused' });
    expect(refused.code).toBe(2);
  });

  test('writes Markdown to a file', async () => {
    const { written, out } = await run(['compare', 'main', 'worse', '--markdown', '--out', 'c.md', ...quick]);
    expect(out).toBe('');
    expect(written['c.md']).toMatch(/^## main → worse: regressed\n/);
  });

  test('takes noise floors', async () => {
    const noise = JSON.stringify({ rows: [{ id: 'visible', floorOfMeans: 0.1 }] });
    const { out } = await run(['compare', 'main', 'worse', '--noise', 'n.json', ...quick], {
      files: { 'n.json': noise },
    });
    expect(out).toContain('The difference is 2.0 times the noise floor.');
  });

  test.each<[readonly string[], string]>([
    [
      ['compare', 'main', 'nowhere'],
      'precis: nowhere: expected a folder of results or the file of a run, but there is none\n',
    ],
    [['compare', 'main', 'empty'], 'precis: empty: expected files named FIXTURE-run-N.json, but the folder has none\n'],
    [['compare', 'main', 'same', '--arm', 'x'], 'precis: expected an arm of `candidate`, `full`, `none`, got `x`\n'],
    [
      ['compare', 'main', 'same', '--json', '--markdown'],
      'precis: expected one of `--json` and `--markdown`, got both\n',
    ],
    [['compare', 'main', 'same', '--noise', 'x'], 'precis: expected `--noise` to name a file, got `x`\n'],
  ])('%j is wrong input', async (args, sentence) => {
    expect(await run(args)).toMatchObject({ code: 2, out: '', err: sentence });
  });

  test.each([
    ['--margin', '2'],
    ['--margin', ''],
    ['--fail-on', 'x'],
    ['--grade-margin', '-1'],
  ])('%s %j is wrong usage', async (flag, value) => {
    expect((await run(['compare', 'main', 'same', flag, value])).code).toBe(2);
  });
});

describe('precis report', () => {
  test('makes every report anew, and finds nothing to complain about in its own', async () => {
    const { code, out, written } = await run(['report', 'judged', '--out', 'judged']);
    expect({ code, out }).toEqual({ code: 0, out: 'Written to judged: report.md, report.json, junit.xml.\n' });
    expect(Object.keys(written).sort()).toEqual(['judged/junit.xml', 'judged/report.json', 'judged/report.md']);
    const again = await run(['report', 'judged'], { files: written });
    expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: '' });
    expect(again.out).toContain('judge judge');
    expect((await run(['report', 'judged', '--out', 'judged'], { files: written })).code).toBe(2);
  });

  test('says which stored figure differs', async () => {
    const { out } = await run(['report', 'main', '--json']);
    const stored = JSON.parse(out) as { totals: { visible: { mean: number } }[] };
    stored.totals[0]!.visible.mean = 0.5;
    const { code, err } = await run(['report', 'main'], { files: { 'main/report.json': JSON.stringify(stored) } });
    expect(code).toBe(1);
    expect(err).toContain('report.json, totals.0.visible.mean: stored 0.5, made anew 1');
  });

  test('says when the stored report is of another shape', async () => {
    const { code, err } = await run(['report', 'main'], { files: { 'main/report.json': '{"arms": []}' } });
    expect(code).toBe(1);
    expect(err).toContain('report.json is not a report of this version');
  });

  test('says when a run contradicts itself', async () => {
    const name = 'main/fixture-1-run-1.json';
    const broken = files[name]!.replace('"visible":1', '"visible":0.5');
    const { code, err } = await run(['report', 'main'], { files: { [name]: broken } });
    expect(code).toBe(1);
    expect(err).toContain('stored visible is 0.5, its facts give 1');
  });

  test.each([
    ['text', 'main: 10 fixtures'],
    ['markdown', '# Compaction eval: main'],
    ['json', '{\n  "version": 1'],
    ['junit', '<?xml'],
    ['step-summary', '### precis eval: main'],
  ])('prints %s', async (format, start) => {
    const { code, out } = await run(['report', 'main', '--format', format]);
    expect(code).toBe(0);
    expect(out.startsWith(start)).toBe(true);
  });

  test('refuses the same run twice, and files that are no runs', async () => {
    const twice = await run(['report', 'main'], {
      files: { 'main/copy-run-1.json': files['main/fixture-1-run-1.json'] ?? '' },
    });
    expect(twice).toMatchObject({
      code: 2,
      err: 'precis: main: expected each run once, but run 1 of fixture-1 is there twice\n',
    });
    const broken = await run(['report', 'main'], { files: { 'main/x-run-1.json': '{}' } });
    expect(broken.err).toMatch(/^precis: main\/x-run-1\.json: expected the result of a run: .+ at version\n$/);
    const report = await run(['report', 'main'], { files: { 'main/report.json': 'x' } });
    expect(report.err).toContain('main/report.json: expected the JSON of a report');
  });
});

describe('precis calibrate', () => {
  const labels = 'fixture,probe,correct\nfixture-1,p1,yes\n';
  test('prints the table, and exits with 1 while the judge is not to be trusted', async () => {
    const { code, out } = await run(['calibrate', 'l.csv', 'judged'], { files: { 'l.csv': labels } });
    expect(code).toBe(1);
    expect(out).toContain('judge passes');
    expect(out).toContain('1 labels of answers picked at random; 50 are needed');
    const json = await run(['calibrate', 'l.csv', 'judged', '--json'], { files: { 'l.csv': labels } });
    expect(JSON.parse(json.out)).toMatchObject({ labels: 1, confusion: { bothPass: 1 } });
  });

  test('says when there are no labels', async () => {
    expect(await run(['calibrate', 'none.csv', 'judged'])).toMatchObject({
      code: 2,
      err: 'precis: none.csv: expected a file with labels, but there is none\n',
    });
  });
});
