import type { EvalSummary } from '../../eval/results/aggregate.ts';
import type { ArmSummary } from '../../eval/results/arm-summary.ts';
import { counted } from '../figures.ts';

/** Finds the arm that a report is about, over all fixtures after its last pass: `candidate`, or the last candidate when none has that name. */
export function mainCandidate({ totals }: EvalSummary): ArmSummary | null {
  const own = totals.filter(({ role }) => role === 'candidate');
  const named = own.filter(({ arm }) => arm === 'candidate');
  return (named.length > 0 ? named : own).at(-1) ?? null;
}

/** Writes the smallest difference that a comparison with this result can be expected to show. */
export function detectableLine({ detectable, probes }: EvalSummary): string {
  return `With ${counted(probes, 'probe')}, a comparison can be expected to show differences of ${(100 * detectable).toFixed(0)} points or more (80 % power, one probe in five changing); smaller ones may be noise.`;
}
