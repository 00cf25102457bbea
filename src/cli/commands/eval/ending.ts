import type { RunResult } from '../../../eval/types.ts';
import { counted } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import type { EvalFlags } from './flags.ts';
import type { Evaluated } from './run.ts';

/** Says how to continue after an interruption, and returns the exit code. */
export function interrupted(world: World, { label, runs }: Evaluated): number {
  world.err(
    `precis: interrupted after ${counted(runs.length, 'whole run')}; to continue without paying twice, run the same command with \`--resume --label ${label}\`\n`,
  );
  return 130;
}

/** Says why an evaluation measured too little; null when it measured enough. */
export function problemOf({ isCapped, label, runs }: Evaluated, { maxCost }: EvalFlags): string | null {
  if (isCapped)
    return `the cost cap of $${maxCost} was reached, so some questions were not asked and have no score; to continue, raise \`--max-cost\` and add \`--resume --label ${label}\``;
  if (runs.every(({ cells }) => cells.length === 0)) return 'nothing could be scored';
  return allFailed(runs) ? 'no answer could be graded; the results say why' : null;
}

function allFailed(runs: readonly RunResult[]): boolean {
  const judged = runs.flatMap(({ cells }) => cells.flatMap((cell) => cell.judged ?? []));
  return judged.length > 0 && judged.every(({ outcome }) => outcome === 'error');
}
