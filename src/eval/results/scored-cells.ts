import { PrecisError } from '../../core/errors.ts';
import type { Cell, RunResult } from '../types.ts';

/** A cell of the compared arm, with its run. */
export interface RunCell {
  readonly run: number;
  readonly cell: Cell;
}

/** Chooses the arm to compare: the one that is named, or the candidate. */
export function chooseArm(runs: readonly RunResult[], wanted: string | undefined): string {
  const states = runs.flatMap(({ states }) => states);
  const arms = [...new Set(states.map(({ arm }) => arm))];
  if (wanted !== undefined) {
    if (arms.includes(wanted)) return wanted;
    throw new PrecisError('bad-option', `expected an arm of ${quoted(arms)}, got \`${wanted}\``);
  }
  const candidates = [...new Set(states.filter(({ role }) => role === 'candidate').map(({ arm }) => arm))];
  if (candidates.includes('candidate')) return 'candidate';
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  throw new PrecisError('bad-option', `expected one candidate, or the name of an arm; there are ${quoted(arms)}`);
}

function quoted(names: readonly string[]): string {
  return names.length === 0 ? 'no arms' : names.map((name) => `\`${name}\``).join(', ');
}

/** Lists the cells of one arm in the order of the runs, without those of states that cannot be scored. */
export function scoredCells(runs: readonly RunResult[], arm: string): readonly RunCell[] {
  return [...runs]
    .sort((x, y) => x.run - y.run)
    .flatMap(({ run, states, cells }) => {
      const invalid = new Set(
        states.filter((state) => state.arm === arm && state.invalid !== null).map(({ pass }) => pass),
      );
      return cells.filter((cell) => cell.arm === arm && !invalid.has(cell.pass)).map((cell) => ({ run, cell }));
    });
}

/** Says whether a judge graded at least one answer. */
export function isJudged(runs: readonly RunResult[]): boolean {
  return runs.some(({ cells }) => cells.some(({ judged }) => judged !== null));
}
