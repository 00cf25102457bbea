/** The session of ten requests that the tests of the optimum and of the rent rule are computed on by hand. */

import { rulesById } from '../../src/replay/cache/rules/by-id.ts';
import { fixedOperator, type OptimumProblem } from '../../src/replay/optimum/problem.ts';

/** A start of 10,000 tokens, then 30,000 and nine times 10,000, a minute apart; or with an hour before the request of this number, counted from 1. */
export function exampleProblem(idleBefore: number | null): OptimumProblem {
  let at = 0;
  const requests = Array.from({ length: 10 }, (_, index) => {
    at += index + 1 === idleBefore ? 3_600_000 : 60_000;
    return { at, appended: index === 0 ? 40_000 : 10_000, outputTokens: 0, isLegalCut: true };
  });
  const summary = fixedOperator({ id: 'summary', call: 'aligned', summary: 1_000, stable: 10_000, after: 20_000 });
  return { rules: rulesById('anthropic-5m'), requests, operators: [summary] };
}
