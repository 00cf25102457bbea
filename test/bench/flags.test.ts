import { describe, expect, it } from 'vitest';
import { HELP, parseFlags } from '../../bench/peers/flags.ts';

describe('flags of the bench beside others', () => {
  it('has defaults', () => {
    expect(parseFlags([])).toEqual({
      type: 'run',
      flags: {
        sessions: null,
        target: 20,
        passes: [1, 3, 5],
        arms: [],
        cache: null,
        mayInstall: true,
        parts: ['survival', 'misbehaviours', 'files', 'cost'],
        json: null,
        isSaved: false,
      },
    });
  });

  it('reads what is given', () => {
    const parsed = parseFlags([
      '--target',
      '10',
      '--passes',
      '1,4',
      '--arms',
      'precis,truncation',
      '--only',
      'cost',
      '--no-install',
    ]);
    expect(parsed).toMatchObject({
      flags: { target: 10, passes: [1, 4], arms: ['precis', 'truncation'], parts: ['cost'], mayInstall: false },
    });
    expect(parseFlags(['--help'])).toEqual({ type: 'help' });
    expect(parseFlags(['--save', '--passes', '1,3,5', '--target', '20']).type).toBe('run');
  });

  it('has a help that says how a folder of sessions is laid out', () => {
    for (const part of ['conversations/', 'facts/', '.jsonl', '"id"', '"kind"', '"question"', '"needles"'])
      expect(HELP).toContain(part);
  });

  it.each([
    [['--target', 'much'], 'Expected a number from 1 to 90 for --target, got `much`'],
    [['--target', '0'], 'Expected a number from 1 to 90 for --target, got `0`'],
    [['--passes', '1,2.5'], 'Expected whole numbers from 1 to 50 for --passes, got `2.5`'],
    [['--passes', ','], 'Expected a list of numbers such as `1,3,5` for --passes, got nothing'],
    [['--only', 'all'], 'Expected some of survival, misbehaviours, files, cost for --only, got `all`'],
    [['--save', '--sessions', 'mine'], 'Expected --save without --sessions'],
    [['--save', '--only', 'cost'], 'Expected --save without --only and --arms'],
    [['--save', '--passes', '1'], 'Expected --save without --target and --passes'],
    [['--save', '--target', '10'], 'Expected --save without --target and --passes'],
    [['--arms='], 'for --arms, got nothing'],
    [['--arms', ','], 'for --arms, got nothing'],
    [['--cache='], 'Expected a folder for --cache, got nothing'],
    [['--sessions='], 'Expected a folder for --sessions, got nothing'],
    [['--json='], 'Expected a file for --json, got nothing'],
    [['--arms', 'nobody'], 'for --arms, got `nobody`'],
    [['--fast'], 'Expected the flags of --help'],
    [['mine'], 'Expected the flags of --help'],
  ])('says what was expected for %j', (argv, message) => {
    const parsed = parseFlags(argv);
    expect(parsed).toMatchObject({ type: 'wrong', message: expect.stringContaining(message) });
    expect(parsed.type === 'wrong' && parsed.message.includes('\n')).toBe(false);
  });
});
