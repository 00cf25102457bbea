import { type Estimate, type EstimatedCalls, estimateOf } from '../../../eval/run/calls/budget.ts';
import { RECALL_TOKENS } from '../../../eval/run/said.ts';
import type { EvalJob, Prepared } from './prepare.ts';

/** Tokens of the rules, the question and the facts that a judge reads. */
const JUDGE_TOKENS = 1_100;
const EXAM_TOKENS = 250;

/** Questions that will be asked at most, over all runs. */
export function answersOf({ fixtures, runs, userArms }: Prepared, { arms }: EvalJob): number {
  const once = arms.filter((arm) => arm === 'full' || arm === 'none').length;
  const each = arms.length - once + userArms.length;
  return runs * fixtures.reduce((sum, { bank, passes }) => sum + bank.probes.length * (once + each * passes), 0);
}

export function estimateFor({ fixtures, runs, models, userArms }: Prepared, { arms }: EvalJob): Estimate {
  const parts: EstimatedCalls[] = [];
  for (const { bank, passes, target, tokens } of fixtures) {
    if (models.compressor !== null && arms.some((arm) => arm.startsWith('candidate') || arm === 'truncation'))
      parts.push({
        role: 'compress',
        calls: runs * passes,
        inputTokens: runs * (tokens + passes * target),
        prices: models.compressor.prices,
      });
    if (models.exam === null) continue;
    const sizes = [...arms, ...userArms.map(({ name }) => name)].map((arm) => {
      if (arm === 'full') return tokens;
      if (arm === 'none') return 500;
      const more = arm === 'candidate+recall' ? RECALL_TOKENS : arm === 'condense-only' ? target : 0;
      return (target + more) * passes;
    });
    const asked = answersPer(bank.probes.length, passes, arms, userArms.length);
    const input = sizes.reduce((sum, size) => sum + size, 0) * bank.probes.length + asked * EXAM_TOKENS;
    parts.push({ role: 'answer', calls: runs * asked, inputTokens: runs * input, prices: models.exam.answerer.prices });
    parts.push({
      role: 'judge',
      calls: runs * asked,
      inputTokens: runs * asked * JUDGE_TOKENS,
      prices: models.exam.judge.prices,
    });
  }
  return estimateOf(parts);
}

function answersPer(probes: number, passes: number, arms: readonly string[], users: number): number {
  const once = arms.filter((arm) => arm === 'full' || arm === 'none').length;
  return probes * (once + (arms.length - once + users) * passes);
}
