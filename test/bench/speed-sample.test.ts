import { expect, test } from 'vitest';
import { sample } from '../../bench/speed/sample.ts';
import { warmYardstick } from '../../bench/speed/yardstick.ts';

/** A clock that only work moves. */
function fakeTime() {
  let time = 0;
  const spend = (ms: number): void => {
    time += ms;
  };
  return { clock: { now: () => time }, spend };
}

test('work is timed by the yardstick beside it, however fast the machine is', async () => {
  for (const slowness of [1, 7]) {
    const { clock, spend } = fakeTime();
    const { ms, yardsticks, sameByTheSame, samples } = await sample({
      run: () => spend(20 * slowness),
      yardstick: () => spend(5 * slowness),
      clock,
      budgetMs: 0,
      leastRounds: 3,
      mostRounds: 40,
    });
    expect([ms, yardsticks, sameByTheSame, samples]).toEqual([20 * slowness, 4, 1, 6]);
  }
});

test('what is done before a run is not timed, and short runs are taken together', async () => {
  const { clock, spend } = fakeTime();
  let runs = 0;
  const found = await sample({
    before: () => spend(100),
    run: async () => {
      runs++;
      spend(1);
    },
    yardstick: () => spend(2),
    clock,
    budgetMs: 1e9,
    leastRounds: 3,
    mostRounds: 5,
    mostWarmUps: 2,
  });
  expect(found).toEqual({ ms: 1, yardsticks: 0.5, sameByTheSame: 1, samples: 10 });
  expect(runs).toBe(2 + 5 * 2 * 4);
});

test('a pause in one sample moves neither the time nor the ratio', async () => {
  const { clock, spend } = fakeTime();
  let runs = 0;
  const found = await sample({
    run: () => spend(++runs === 5 ? 1_000 : 10),
    yardstick: () => spend(5),
    clock,
    budgetMs: 0,
    leastRounds: 4,
    mostRounds: 4,
  });
  expect([found.ms, found.yardsticks]).toEqual([10, 2]);
});

test('the yardstick does the same work every time', () => {
  expect(warmYardstick()()).toBe(warmYardstick()());
});
