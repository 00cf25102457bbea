import { type Estimate, type EstimatedCalls, estimateOf } from '../../../eval/run/cost.ts';
import { RECALL_TOKENS } from '../../../eval/run/search.ts';
import type { EvalJob, Planned, Prepared } from './prepare.ts';

/** Tokens of the rules, the question and the facts that a judge reads. */
const JUDGE_TOKENS = 1_100;
const EXAM_TOKENS = 250;

/** The most questions that all runs together ask. */
export function answersOf(prepared: Prepared, job: EvalJob): number {
  return prepared.runs * prepared.fixtures.reduce((sum, planned) => sum + answersPerRun(planned, prepared, job), 0);
}

function answersPerRun({ bank, passes }: Planned, { userArms }: Prepared, { arms }: EvalJob): number {
  const once = arms.filter((arm) => arm === 'full' || arm === 'none').length;
  return bank.probes.length * (once + (arms.length - once + userArms.length) * passes);
}

export function estimateFor(prepared: Prepared, job: EvalJob): Estimate {
  const { fixtures, runs, models, userArms } = prepared;
  const { arms } = job;
  const parts: EstimatedCalls[] = [];
  for (const planned of fixtures) {
    const { bank, passes, target, tokens } = planned;
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
    const asked = answersPerRun(planned, prepared, job);
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
