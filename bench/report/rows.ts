/** Looking things up in the results. */
import type { PeersResults, SurvivalRow, Teller } from '../peers/results.ts';
import { partOf } from './figures.ts';

export const TELLERS: readonly Teller[] = ['none', 'silent', 'forgetful', 'rewording', 'perfect'];

/** One word for the summariser, for table columns. */
export const TELLER_NAMES: Readonly<Record<Teller, string>> = {
  none: 'no model',
  silent: 'silent',
  forgetful: 'forgetful',
  rewording: 'rewording',
  perfect: 'perfect',
};

/** `precis`, and `precis-…` for its variants. */
export function isOurs(arm: string): boolean {
  return arm === 'precis' || arm.startsWith('precis-');
}

export function titleOf({ arms }: Pick<PeersResults, 'arms'>, id: string): string {
  return arms.find((arm) => arm.id === id)?.title ?? id;
}

/** A title within a sentence. Titles of other arms may contain commas, so they are set apart. */
export function named(results: Pick<PeersResults, 'arms'>, id: string): string {
  return isOurs(id) ? titleOf(results, id) : `_${titleOf(results, id)}_`;
}

export function mostPasses({ passes }: Pick<PeersResults, 'passes'>): number {
  return Math.max(...passes);
}

/** The project whose code an arm runs, by the scope or name of its first package; null for precis and for arms that we wrote. */
export function projectOf({ arms }: Pick<PeersResults, 'arms'>, id: string): string | null {
  const [first] = arms.find((arm) => arm.id === id)?.versions ?? [];
  return isOurs(id) ? null : (first?.split(/[/ ]/)[0] ?? null);
}

/** Rows of one summariser after the most compactions, in the order of the arms. */
export function lastRows(results: PeersResults, teller: Teller): readonly SurvivalRow[] {
  const last = mostPasses(results);
  return inOrder(
    results,
    results.survival.filter((row) => row.teller === teller && row.passes === last),
  );
}

export function inOrder<Row extends { readonly arm: string }>(
  { arms }: Pick<PeersResults, 'arms'>,
  rows: readonly Row[],
): readonly Row[] {
  const places = new Map(arms.map(({ id }, place) => [id, place]));
  const placeOf = ({ arm }: Row): number => places.get(arm) ?? arms.length;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The same arm and summariser after another number of compactions. */
export function rowAfter({ survival }: PeersResults, like: SurvivalRow, passes: number): SurvivalRow | null {
  return survival.find((row) => row.arm === like.arm && row.teller === like.teller && row.passes === passes) ?? null;
}

/** By how much the arm beats precis at the same size, as a share of all facts; negative if precis keeps more, null for precis itself. */
export function leadOf(row: SurvivalRow): number | null {
  if (row.ours === null) return null;
  const theirs = partOf(row);
  const ours = partOf(row.ours);
  return theirs === null || ours === null ? null : theirs - ours;
}

/** Rows in which another arm keeps more than precis at the same size, the largest gap first. */
export function aheadOfOurs(results: PeersResults): readonly SurvivalRow[] {
  return results.survival
    .filter((row) => (leadOf(row) ?? 0) > 0)
    .toSorted((one, other) => (leadOf(other) ?? 0) - (leadOf(one) ?? 0));
}

/** Whether precis needed more room than the arm's view has. */
export function neededMore(row: SurvivalRow): boolean {
  return row.ours !== null && row.ours.retained > row.retained * 1.05;
}
