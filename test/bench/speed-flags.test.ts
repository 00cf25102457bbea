import { describe, expect, test } from 'vitest';
import { HELP, parseFlags, type Request, SECTIONS } from '../../bench/flags.ts';
import { LINES, WORKLOADS } from '../../bench/speed/names.ts';
import { workloads } from '../../bench/speed/workloads/index.ts';

function requestOf(...argv: readonly string[]): Request {
  const flags = parseFlags(argv);
  if (flags.type !== 'run') throw new Error(flags.type === 'bad' ? flags.sentence : 'help');
  return flags.request;
}

test('without names it is survival and the whole suite', () => {
  expect(requestOf()).toEqual({
    sections: ['survival'],
    workloads: [...WORKLOADS, LINES],
    quick: false,
    save: false,
    check: false,
    json: null,
    kills: 600,
  });
});

test.each([
  ['survival', ['survival'], []],
  ['speed', [], [...WORKLOADS, LINES]],
  ['search', [], ['search-index', 'search-ask']],
  ['context', ['long-life'], ['context-append', 'context-prepare']],
  ['store', ['store-arms'], ['store-commit', 'store-load', 'store-search']],
  ['scrub', ['scrub'], []],
  ['readers', ['readers'], []],
  ['crash', ['crash'], []],
  ['fold', [], ['fold']],
  ['lines', [], ['lines']],
])('%s is a name', (name, sections, named) => {
  expect(requestOf(name)).toMatchObject({ sections, workloads: named });
  expect(requestOf('--only', name)).toEqual(requestOf(name));
});

test('names can be several, twice, and in any order', () => {
  expect(requestOf('fold', '--only', 'count,survival,fold')).toMatchObject({
    sections: ['survival'],
    workloads: ['count', 'fold'],
  });
});

test('flags', () => {
  expect(requestOf('--quick', '--check', '--json', 'out.json')).toMatchObject({
    quick: true,
    check: true,
    json: 'out.json',
  });
  expect(requestOf('--save').save).toBe(true);
  expect(requestOf('crash', '20').kills).toBe(20);
  expect(parseFlags(['--help'])).toEqual({ type: 'help' });
});

describe('what cannot be is refused in one sentence', () => {
  test.each([
    [['--fast'], "Unknown option '--fast'"],
    [['nothing'], 'There is no benchmark named nothing'],
    [['constructor'], 'There is no benchmark named constructor'],
    [['--only', ','], '--only needs a name'],
    [['--only'], "Option '--only <value>' argument missing"],
    [['--json', ''], '--json needs the name of a file'],
    [['search', '5'], 'A number, 5, means nothing here'],
    [['crash', '0'], 'Expected at least one process to kill'],
    [['--save', '--quick'], '--save needs the whole speed suite'],
    [['--save', 'fold'], '--save needs the whole speed suite'],
    [['--save', '--check'], '--save and --check are two runs'],
    [['--check', 'survival'], '--check needs something of the speed suite'],
    [['--json', 'x', 'scrub'], '--json writes results of the speed suite'],
  ])('%j', (argv, beginning) => {
    const flags = parseFlags(argv);
    expect(flags.type === 'bad' && flags.sentence.startsWith(beginning)).toBe(true);
    expect(flags.type === 'bad' && flags.sentence.endsWith('. See npm run bench -- --help')).toBe(true);
  });
});

test('every workload has a name that can be asked for, and the help names all', () => {
  expect(workloads.map(({ name }) => name)).toEqual(WORKLOADS);
  for (const name of [...WORKLOADS, LINES, ...SECTIONS]) expect(HELP).toContain(name);
});
