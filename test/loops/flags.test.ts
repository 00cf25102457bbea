import { describe, expect, it } from 'vitest';
import { parseFlags } from '../../bench/flags.ts';
import { LOOPS_HELP, parseLoopsFlags } from '../../bench/loops/flags.ts';

describe('flags of the loops', () => {
  it('follow the word loops', () => {
    expect(parseFlags(['loops'])).toEqual({ type: 'loops', argv: [] });
    expect(parseFlags(['--check', 'loops'])).toEqual({ type: 'loops', argv: ['--check'] });
  });

  it('have defaults, and are read', () => {
    expect(parseLoopsFlags([])).toEqual({ type: 'run', request: { only: [], seed: 1, check: false, save: false } });
    expect(parseLoopsFlags(['--only', 'chat,pinned', '--seed', '7', '--check'])).toEqual({
      type: 'run',
      request: { only: ['chat', 'pinned'], seed: 7, check: true, save: false },
    });
    expect(parseLoopsFlags(['--help'])).toEqual({ type: 'help' });
    expect(LOOPS_HELP).toContain('Examples:');
  });

  it.each([
    [['--only', ''], '--only needs a name'],
    [['--seed', 'x'], 'Expected a whole number for --seed, got `x`'],
    [['--save', '--only', 'chat'], '--save needs all loops'],
    [['--fast'], "Unknown option '--fast'"],
  ])('say what is wrong with %j', (argv, sentence) => {
    expect(parseLoopsFlags(argv)).toMatchObject({ type: 'bad', sentence: expect.stringContaining(sentence) });
  });
});
