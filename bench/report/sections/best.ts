/** Who keeps most with a summariser, among views of about one size. */
import type { PeersResults, SurvivalRow, Teller } from '../../peers/results.ts';
import { listed, ordinal, partOf, percent, plural, points, shareText, whole } from '../figures.ts';
import { isOurs, lastRows, named } from '../rows.ts';
import { CONDITIONS } from '../sentences.ts';

/** A view of less than this part of ours is of another size: what it keeps says nothing beside ours. */
const SAME_SIZE = 0.7;

/** Who is best among views of about the size that was asked for; then those that were left out for their size. */
export function bestWith(results: PeersResults, teller: Teller): readonly string[] {
  const rows = lastRows(results, teller).filter(({ facts }) => facts > 0);
  const large = rows.filter(({ tooLarge }) => tooLarge > 0);
  const asked = rows.filter(({ tooLarge }) => tooLarge === 0);
  const least = SAME_SIZE * (asked.find(({ arm }) => isOurs(arm))?.retained ?? 0);
  const small = asked.filter(({ retained }) => retained < least);
  const fitting = ranked(asked.filter(({ retained }) => retained >= least));
  const [best] = fitting;
  if (best === undefined) return [];
  const top = partOf(best) ?? 0;
  const leaders = fitting.filter((row) => partOf(row) === top);
  const names = listed(leaders.map(({ arm }) => named(results, arm)));
  const condition = CONDITIONS[teller];
  return [
    [
      `${condition.charAt(0).toUpperCase()}${condition.slice(1)}, ${names} ${leaders.length === 1 ? 'keeps' : 'keep'} most: ${whole(best.kept)} of ${plural(best.facts, 'fact')} (${shareText(best)}) after ${plural(best.passes, 'compaction')}.`,
      leaders.some(({ arm }) => isOurs(arm))
        ? nextSentence(results, fitting, top)
        : oursSentence(results, fitting, top),
      leftOut(results, small, 'much smaller views'),
      leftOut(results, large, 'views larger than asked for'),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  ];
}

function nextSentence(results: PeersResults, fitting: readonly SurvivalRow[], top: number): string {
  const first = fitting.find((row) => partOf(row) !== top);
  if (first === undefined) return '';
  const next = fitting.filter((row) => partOf(row) === partOf(first));
  return `Next ${next.length === 1 ? 'is' : 'are'} ${listed(next.map(({ arm }) => named(results, arm)))} with ${shareText(first)}, ${points(top - (partOf(first) ?? 0))} less.`;
}

function oursSentence(results: PeersResults, fitting: readonly SurvivalRow[], top: number): string {
  const own = fitting.find(({ arm }) => isOurs(arm));
  if (own === undefined) return 'precis did not run, or not in the size that was asked for.';
  const part = partOf(own) ?? 0;
  const place = fitting.filter((row) => (partOf(row) ?? 0) > part).length + 1;
  return `**${named(results, own.arm)} is ${ordinal(place)} of ${fitting.length} with ${shareText(own)}, ${points(top - part)} behind.**`;
}

/** What they keep is said, too: one that keeps as much in less is not hidden by its size. */
function leftOut(results: PeersResults, rows: readonly SurvivalRow[], views: string): string {
  if (rows.length === 0) return '';
  const ends = rows.length === 1 ? 's' : '';
  const names = listed(rows.map(({ arm }) => named(results, arm)));
  const sizes = listed(rows.map(({ retained }) => percent(retained)));
  return `${names} give${ends} ${views}, ${sizes} of the sessions, and keep${ends} ${listed(rows.map(shareText))} in them: see the comparison at equal size.`;
}

function ranked(rows: readonly SurvivalRow[]): readonly SurvivalRow[] {
  return rows.toSorted((one, other) => (partOf(other) ?? 0) - (partOf(one) ?? 0));
}
