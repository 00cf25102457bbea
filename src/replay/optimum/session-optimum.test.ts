import { expect, test } from 'vitest';
import { plainRules, reading } from '../../../test/replay/support.ts';
import { none } from '../policies/baseline/none.ts';
import { simulate } from '../simulate/simulate.ts';
import { optimumUsdOf } from './session-optimum.ts';

test('the optimum of a session that is too short for a cut is to do nothing', async () => {
  const trace = reading(2, 400);
  const done = await simulate(trace, { policy: none, rules: plainRules, window: 100_000 });
  expect(optimumUsdOf(trace, plainRules, 100_000)).toBeCloseTo(done.usd);
});
