/** Counts the comparisons at equal size: one for each arm, summariser and number of compactions. */
import type { PeersResults, SurvivalRow } from '../../peers/results.ts';
import { largestBehind, SMALL_VIEW } from '../causes.ts';
import { plural, points, whole } from '../figures.ts';
import { leadOf, named, projectOf } from '../rows.ts';

interface Comparison {
  readonly row: SurvivalRow;
  readonly lead: number;
}

/** Counts our own controls separately, because being ahead of them says little. */
export function sameSizeSentence(results: PeersResults): string {
  const all = results.survival.flatMap((row): readonly Comparison[] => {
    const lead = leadOf(row);
    return lead === null ? [] : [{ row, lead }];
  });
  const theirs = all.filter(({ row }) => projectOf(results, row.arm) !== null);
  const controls = all.filter(({ row }) => projectOf(results, row.arm) === null);
  const projects = new Set(theirs.map(({ row }) => projectOf(results, row.arm))).size;
  const said = [
    theirs.length === 0
      ? ''
      : counted(
          results,
          theirs,
          `At the exact view sizes of ${plural(armsOf(theirs), 'compactor')} from ${plural(projects, 'other project')}, precis keeps`,
        ),
    controls.length === 0
      ? ''
      : counted(
          results,
          controls,
          `At the exact view sizes of ${plural(armsOf(controls), 'control or imitation', 'controls and imitations')} that we wrote, precis keeps`,
        ),
    all.some(({ lead }) => lead > 0) ? 'See [where others are ahead](#where-others-are-ahead).' : '',
  ];
  return said.filter((sentence) => sentence !== '').join(' ');
}

function armsOf(compared: readonly Comparison[]): number {
  return new Set(compared.map(({ row }) => row.arm)).size;
}

function counted(results: PeersResults, compared: readonly Comparison[], words: string): string {
  const count = (which: (lead: number) => boolean): string =>
    String(compared.filter(({ lead }) => which(lead)).length || 'none');
  const behind = compared.filter(({ lead }) => lead > 0).toSorted((one, other) => other.lead - one.lead);
  const [worst] = behind;
  const gap =
    worst === undefined
      ? ''
      : ` Its largest deficit is ${points(worst.lead)}, against ${named(results, worst.row.arm)}${worst.row.teller === 'none' ? '' : ` with the ${worst.row.teller} summariser`} after ${plural(worst.row.passes, 'compaction')}.`;
  return `${words} more facts in ${count((lead) => lead < 0)} of ${plural(compared.length, 'comparison')}, as many in ${count((lead) => lead === 0)} and fewer in ${count((lead) => lead > 0)}.${small(behind.map(({ row }) => row))}${gap}`;
}

/** Says in how many of the rows precis is behind only in small views. */
function small(rows: readonly SurvivalRow[]): string {
  const only = rows.filter(({ behind }) => behind.length > 0 && largestBehind(behind) <= SMALL_VIEW).length;
  if (only === 0) return '';
  const which =
    only < rows.length ? `In ${whole(only)} of these` : rows.length === 1 ? 'There' : `In all ${whole(only)}`;
  return ` ${which}, it is behind only in views of at most ${plural(SMALL_VIEW, 'token')}.`;
}
