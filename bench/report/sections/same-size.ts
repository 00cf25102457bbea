/** All comparisons at equal size, each of an arm, a summariser and a number of compactions, counted. */
import type { PeersResults, SurvivalRow } from '../../peers/results.ts';
import { largestBehind, SMALL_VIEW } from '../causes.ts';
import { plural, points, whole } from '../figures.ts';
import { leadOf, projectOf } from '../rows.ts';
import { nameOfRow } from '../sentences.ts';

interface Comparison {
  readonly row: SurvivalRow;
  readonly lead: number;
}

/** Controls that we wrote ourselves are counted apart: to be ahead of them says little. */
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
          `In views of the very sizes that ${plural(armsOf(theirs), 'arm')} of ${plural(projects, 'other project')} gave, precis keeps`,
        ),
    controls.length === 0
      ? ''
      : counted(
          results,
          controls,
          `In the sizes of ${plural(armsOf(controls), 'control or imitation', 'controls and imitations')} of our own, precis keeps`,
        ),
    all.some(({ lead }) => lead > 0) ? 'See [where others are ahead](#where-others-are-ahead).' : '',
  ];
  return said.filter((sentence) => sentence !== '').join(' ');
}

function armsOf(compared: readonly Comparison[]): number {
  return new Set(compared.map(({ row }) => row.arm)).size;
}

function counted(results: PeersResults, compared: readonly Comparison[], words: string): string {
  const count = (which: (lead: number) => boolean): number => compared.filter(({ lead }) => which(lead)).length;
  const behind = compared.filter(({ lead }) => lead > 0).toSorted((one, other) => other.lead - one.lead);
  const [worst] = behind;
  const gap =
    worst === undefined
      ? ''
      : ` The largest gap against precis there is ${points(worst.lead)}: ${nameOfRow(results, worst.row)}, after ${plural(worst.row.passes, 'compaction')}.`;
  return `${words} more facts in ${count((lead) => lead < 0)} of ${plural(compared.length, 'comparison')}, as many in ${count((lead) => lead === 0)} and fewer in ${behind.length}${small(behind.map(({ row }) => row))}.${gap}`;
}

/** How many of the rows are behind in small views alone. */
function small(rows: readonly SurvivalRow[]): string {
  const only = rows.filter(({ behind }) => behind.length > 0 && largestBehind(behind) <= SMALL_VIEW).length;
  if (only === 0) return '';
  const which = only < rows.length ? `in ${whole(only)} of these` : rows.length === 1 ? 'there' : 'in all of these';
  return `, ${which} only in views of at most ${plural(SMALL_VIEW, 'token')}`;
}
