/** Arms: ours, and those of users. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult, StateResult } from '../../src/eval/types.ts';
import { cellsOf, openPlace, type Place } from './support.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

let labels = 0;
async function evaluate(
  ...args: readonly string[]
): Promise<RunResult & { readonly err: string; readonly code: number }> {
  const label = `r${labels++}`;
  const { code, err } = await place.run('eval', '--fixtures', place.fixture, '--label', label, ...args);
  const text = readFileSync(join(place.results, label, 'small-run-1.json'), 'utf8');
  return { ...(JSON.parse(text) as RunResult), err, code };
}
const stateOf = ({ states }: RunResult, arm: string): StateResult =>
  states.find((state) => state.arm === arm) as StateResult;
const module = (name: string, code: string): string => {
  const file = join(place.folder, name);
  writeFileSync(file, code);
  return file;
};

describe('the built-in arms', () => {
  test('ceiling, floor, and truncation at the size of the candidate', async () => {
    const result = await evaluate();
    expect(stateOf(result, 'full')).toMatchObject({ role: 'ceiling', pass: 0, invalid: null });
    for (const cell of cellsOf(result, 'full').values()) expect(cell.survival ?? 1).toBe(1);
    for (const cell of cellsOf(result, 'none').values()) expect(cell.survival ?? 0).toBe(0);
    const [cut, ours] = [stateOf(result, 'truncation'), stateOf(result, 'candidate')];
    // Truncation cuts within a text, but never within an envelope: in a short session it misses the size by a line.
    expect(Math.abs(cut.tokens - ours.tokens)).toBeLessThanOrEqual(Math.max(ours.tokens * 0.02, 25));
    expect(cellsOf(result, 'candidate').get('rule')?.survival).toBe(1);
    expect(cellsOf(result, 'truncation').get('rule')?.survival).toBe(0);
    expect(stateOf(result, 'candidate+recall').tokens).toBeGreaterThan(ours.tokens);
    expect(result.cells.every(({ judged }) => judged === null)).toBe(true);
    expect(place.server.requests).toEqual([]);
  });

  test('a target that the session meets already proves nothing', async () => {
    const result = await evaluate('--target', '90000', '--arms', 'full,candidate,truncation');
    expect(stateOf(result, 'candidate').invalid).toMatch(/^nothing was compacted/);
    expect(stateOf(result, 'truncation').invalid).toBe('the candidate has no size to match');
    expect(new Set(result.cells.map(({ arm }) => arm))).toEqual(new Set(['full']));
  });

  test('a chain of compactions is scored after every one, and asks nothing before its time', async () => {
    const result = await evaluate('--passes', '3', '--target', '700', '--arms', 'candidate,truncation');
    const passes = result.states.filter(({ arm }) => arm === 'candidate');
    expect(passes.map(({ pass }) => pass)).toEqual([1, 2, 3]);
    expect(passes.map(({ tokensOfSource }) => tokensOfSource)).toEqual(
      passes.map(({ tokensOfSource }) => tokensOfSource).toSorted((a, b) => a - b),
    );
    expect(new Set(result.cells.filter(({ arm }) => arm === 'candidate').map(({ pass }) => pass))).toEqual(
      new Set([1, 2, 3]),
    );
    expect(result.provenance.passes).toBe(3);
  });

  test('a gate that is not met is exit code 1, and one that nobody can read is 2', async () => {
    expect((await evaluate('--fail-on', 'survival<50%')).code).toBe(0);
    const strict = await evaluate('--fail-on', 'survival<101%,silent>0');
    expect(strict.code).toBe(1);
    expect(strict.err).toMatch(/failed on survival<101%: candidate has [\d.]+/);
    const missing = await evaluate('--fail-on', 'survival<50%', '--arms', 'full');
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('nothing was measured');
    const { code, err } = await place.run('eval', '--fixtures', place.fixture, '--fail-on', 'luck>3');
    expect(code).toBe(2);
    expect(err).toContain('survival<80%');
  });
});

describe("a user's compactor", () => {
  const tail = 'export default (messages) => [messages[0], messages[1], ...messages.slice(-3)];';

  test('is a module, sync or async, or a command', async () => {
    const script = module(
      'last.mjs',
      "let t = ''; for await (const c of process.stdin) t += c; const m = JSON.parse(t); console.log(JSON.stringify({ messages: [m[1], { role: 'user', content: process.env.PRECIS_TARGET }] }));",
    );
    const result = await evaluate(
      '--arm',
      `mine=${module('mine.mjs', tail)}`,
      '--arm',
      `later=${module('later.mjs', 'export default async (messages, { target }) => [{ role: "user", content: `8417 ${target}` }];')}`,
      '--arm',
      `shell=${process.execPath} ${script}`,
      '--runs',
      '1',
      '--target',
      '1500',
    );
    expect(['mine', 'later', 'shell'].map((arm) => stateOf(result, arm).invalid)).toEqual([null, null, null]);
    expect(cellsOf(result, 'mine').get('rule')?.survival).toBe(1);
    expect(cellsOf(result, 'mine').get('port')?.survival).toBe(0);
    expect(cellsOf(result, 'later').get('port')?.survival).toBe(1);
    expect(stateOf(result, 'shell').tokens).toBeLessThan(60);
  });

  test('that fails is invalid with the reason, and has no score', async () => {
    const cases: Readonly<Record<string, readonly [string, RegExp]>> = {
      throws: ['export default () => { throw new Error("no quota"); };', /no quota/],
      text: ['export default () => "a summary";', /expected a list of messages/],
      odd: ['export default () => [{ role: "alien", content: "x" }];', /failed/],
      empty: ['export default () => [];', /no messages/],
      same: ['export default (messages) => [...messages, { role: "user", content: "and a summary" }];', /not smaller/],
    };
    const args = Object.entries(cases).flatMap(([name, [code]]) => ['--arm', `${name}=${module(`${name}.mjs`, code)}`]);
    const result = await evaluate(...args, '--arm', 'exits=exit 3', '--arm', 'words=echo hello', '--runs', '1');
    for (const [name, [, reason]] of Object.entries(cases)) expect(stateOf(result, name).invalid, name).toMatch(reason);
    expect(stateOf(result, 'exits').invalid).toContain('code 3');
    expect(stateOf(result, 'words').invalid).toContain('not JSON');
    expect(new Set(result.cells.map(({ arm }) => arm)).size).toBe(6);
  });

  test('is not asked again when the evaluation goes on', async () => {
    const log = join(place.folder, 'asked.txt');
    const code = `import { appendFileSync } from 'node:fs'; export default (messages) => { appendFileSync(${JSON.stringify(log)}, 'x'); return [{ role: 'user', content: String(Math.random()) }]; };`;
    const flags = [
      '--fixtures',
      place.fixture,
      '--label',
      'kept',
      '--arms',
      'full',
      '--arm',
      `dice=${module('dice.mjs', code)}`,
      '--runs',
      '2',
    ];
    await place.run('eval', ...flags, '--judge-model', 'compatible/x');
    const asked = place.server.requests.length;
    rmSync(join(place.results, 'kept', 'small-run-2.json'));
    expect((await place.run('eval', ...flags, '--judge-model', 'compatible/x', '--resume')).code).toBe(0);
    expect(readFileSync(log, 'utf8')).toBe('xx');
    expect(place.server.requests.length).toBe(asked);
  });

  test('cannot change what other arms get', async () => {
    const spoil =
      'export default (messages) => { for (const m of messages) m.content = "x"; return [{ role: "user", content: "x" }]; };';
    const result = await evaluate(
      '--arm',
      `spoil=${module('spoil.mjs', spoil)}`,
      '--arm',
      `mine=${module('m.mjs', tail)}`,
      '--runs',
      '1',
    );
    expect(cellsOf(result, 'mine').get('rule')?.survival).toBe(1);
  });

  test.each([
    ['=x.js', 'NAME=module.js'],
    ['mine', 'NAME=module.js'],
    ['candidate=x.js', 'its own name'],
    ['mine=nowhere.js', 'there is none at nowhere.js'],
  ])('%s is refused before anything runs', async (spec, message) => {
    const { code, err } = await place.run('eval', '--fixtures', place.fixture, '--arm', spec);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('planted regressions lower the right kind of question', () => {
  const source = (path: string): string =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../src', path)).href);
  /** Our own compaction with one fault put into what it writes. */
  const faulty = (fault: string): string => `
    import { compact } from ${source('core/compact.ts')};
    import { openaiChat } from ${source('formats/openai-chat/index.ts')};
    import { o200k } from ${source('models/o200k.ts')};
    export default async (messages, { target, pass }) => {
      const { conversation } = openaiChat.decode(messages);
      const made = await compact(conversation, openaiChat, { target, counter: o200k });
      const wire = JSON.parse(JSON.stringify(openaiChat.encode(made.conversation)));
      const edit = (change) => JSON.parse(JSON.stringify(wire), (_, value) => typeof value === 'string' ? change(value) : value);
      ${fault}
    };`;
  const faults: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    files: ["return edit((text) => text.replaceAll(/src\\/quota\\/\\w+\\.ts/g, 'a file'));", ['file']],
    constraint: [
      "return edit((text) => text.replaceAll('never log client addresses', 'be careful with what is logged'));",
      ['rule'],
    ],
    error: ["return edit((text) => text.replaceAll(/ERR_\\w+/g, 'an error'));", ['error']],
    stale: ["return edit((text) => text.replaceAll('8417', '8080'));", ['port']],
    first: ['return [wire[0], ...wire.slice(-1)];', ['port', 'file', 'error', 'rule']],
  };

  test('one fault, one kind', async () => {
    const args = Object.entries(faults).flatMap(([name, [code]]) => [
      '--arm',
      `${name}=${module(`${name}.ts`, faulty(code))}`,
    ]);
    const sound = `--arm=sound=${module('sound.ts', faulty('return wire;'))}`;
    const result = await evaluate(...args, sound, '--runs', '1', '--target', '2000', '--arms', 'candidate');
    const kept = cellsOf(result, 'sound');
    for (const probe of ['port', 'file', 'error', 'rule']) expect(kept.get(probe)?.survival, probe).toBe(1);
    for (const [name, [, lost]] of Object.entries(faults)) {
      const cells = [...cellsOf(result, name).values()].filter(({ survival }) => survival !== null);
      expect(
        cells.filter(({ survival }) => survival === 0).map(({ probe }) => probe),
        name,
      ).toEqual(lost);
    }
  });

  test('what the second compaction forgets of the first is missed after the second alone', async () => {
    const forgets = module(
      'forgets.ts',
      faulty("return pass < 2 ? wire : edit((text) => text.replaceAll(/8417|ERR_\\w+/g, '…'));"),
    );
    const result = await evaluate(
      '--arm',
      `forgets=${forgets}`,
      '--runs',
      '1',
      '--passes',
      '2',
      '--target',
      '1500',
      '--arms',
      'candidate',
    );
    const kept = (arm: string, pass: number): readonly string[] =>
      result.cells
        .filter((cell) => cell.arm === arm && cell.pass === pass && cell.survival === 1)
        .map(({ probe }) => probe);
    expect(kept('candidate', 1)).toEqual(['port', 'file', 'error', 'rule']);
    expect(kept('candidate', 2)).toEqual(['port', 'file', 'error', 'rule']);
    expect(kept('forgets', 1)).toEqual(['port', 'file', 'error', 'rule']);
    expect(kept('forgets', 2)).toEqual(['file', 'rule']);
  });
});

describe('the command line', () => {
  test('prints a table for people, or JSON alone', async () => {
    const people = await place.run('eval', '--fixtures', place.fixture, '--label', 'people');
    expect(people.out).toMatch(/full context +100 % +[\d,]+ +100 %/);
    expect(people.out).toContain('truncation');
    expect(people.err).toContain('Written to');
    const machine = await place.run('eval', '--fixtures', place.fixture, '--label', 'machine', '--json');
    const { arms } = JSON.parse(machine.out) as { arms: { arm: string; survival: number }[] };
    expect(arms.find(({ arm }) => arm === 'full')?.survival).toBe(1);
    // Its bank is made for this: one probe is of no use in real life.
    expect(machine.err).toMatch(/^note: small: 1 of 5 probes .*\n$/);
  });

  test('compares with earlier results, and says when there are none', async () => {
    await place.run('eval', '--fixtures', place.fixture, '--label', 'before');
    const { out } = await place.run(
      'eval',
      '--fixtures',
      place.fixture,
      '--label',
      'after',
      '--target',
      '10%',
      '--compare-to',
      join(place.results, 'before'),
    );
    expect(out).toMatch(/inconclusive|equivalent|improved|regressed|Cannot be compared/);
    const nowhere = await place.run(
      'eval',
      '--fixtures',
      place.fixture,
      '--compare-to',
      join(place.results, 'nowhere'),
    );
    expect(nowhere.code).toBe(2);
    expect(nowhere.err).toContain('expected a folder of results');
  });

  test('noise runs the candidate ten times', async () => {
    const { code, out } = await place.run('noise', '--fixtures', place.fixture, '--label', 'noise');
    expect(code).toBe(0);
    expect(out).toContain('10 runs of 1 fixture');
    expect(out).toMatch(/visible/i);
  });

  test.each([
    [['--arms', 'full,fuller'], 'expected `--arms` to be some of full, none'],
    [['--fixtures', 'nowhere'], 'expected a fixture'],
    [['--label', '../x'], 'expected `--label` to be a name for a folder'],
    [['--target', '200%'], 'a share of each session such as 20%'],
    [['--judge-model', 'no such'], 'no such'],
  ])('%j is refused with a sentence', async (args, message) => {
    const { code, err } = await place.run('eval', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
