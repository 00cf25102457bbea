import type { OptimumProblem } from './problem.ts';

/**
 * Returns the part of a bill that no policy can avoid, in uncached input tokens: everything is written once, the stable start is read with every
 * request, and the answers are paid for. It is the same for all policies and makes ratios look better than they are.
 */
export function unavoidableUnits(
  { rules, requests }: Pick<OptimumProblem, 'rules' | 'requests'>,
  stable: number,
): number {
  let units = 0;
  for (const [index, { appended, outputTokens }] of requests.entries())
    units += rules.write * appended + rules.output * outputTokens + (index === 0 ? 0 : rules.read * stable);
  return units;
}

/** Returns the cost as a multiple of the optimum, with and without the part that no policy can avoid. */
export function ratiosTo(
  cost: number,
  optimum: number,
  unavoidable: number,
): { readonly ratio: number; readonly addressable: number } {
  return { ratio: cost / optimum, addressable: (cost - unavoidable) / (optimum - unavoidable) };
}
