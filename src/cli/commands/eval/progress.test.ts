import { expect, test } from 'vitest';
import type { World } from '../../world.ts';
import { barText, createEvalProgress, durationText } from './progress.ts';

test('the bar says what is done, what is left and what was spent', () => {
  expect(barText({ done: 45, total: 90, ms: 60_000, usd: 0.0312 })).toBe(
    '██████████░░░░░░░░░░ 45 of 90 answers · 60 s left · $0.0312',
  );
  expect(barText({ done: 0, total: 90, ms: 0, usd: 0 })).toBe('░░░░░░░░░░░░░░░░░░░░ 0 of 90 answers');
  expect([1, 89_000, 600_000, 7_200_000].map(durationText)).toEqual(['1 s', '89 s', '10 min', '2.0 h']);
});

test('it is drawn on a terminal alone, and is gone at the end', () => {
  const drawn = (isTerminal: boolean): string => {
    let err = '';
    let clock = 0;
    const screen = { isTerminal, colors: false, columns: 80 };
    const world = {
      err: (text: string) => {
        err += text;
      },
      errScreen: screen,
      now: () => {
        clock += 200;
        return clock;
      },
    } as unknown as World;
    const progress = createEvalProgress(world, 4, () => 0.5);
    progress.step();
    progress.step(2);
    progress.clear();
    return err;
  };
  expect(drawn(true)).toContain('3 of 4 answers');
  expect(drawn(true).endsWith('\r\u001b[K')).toBe(true);
  expect(drawn(false)).toBe('');
});
