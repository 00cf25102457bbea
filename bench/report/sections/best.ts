/** Names the arm that keeps the most facts with a summariser, among views of about one size. */
import type { PeersResults, SurvivalRow, Teller } from '../../peers/results.ts';
import { listed, ordinal, partOf, percent, plural, points, shareText, whole } from '../figures.ts';
import { isOurs, lastRows, named } from '../rows.ts';
import { CONDITIONS } from '../sentences.ts';

/** A view smaller than this share of ours has another size, so it is not ranked with ours. */
const SAME_SIZE = 0.7;

/** The best among views of about the requested size, then the arms that were not ranked because of their size. */
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
      `${condition.charAt(0).toUpperCase()}${condition.slice(1)}, ${names} ${leaders.length === 1 ? 'keeps' : 'keep'} the most: ${whole(best.kept)} of ${plural(best.facts, 'fact')} (${shareText(best)}) after ${plural(best.passes, 'compaction')}.`,
      leaders.some(({ arm }) => isOurs(arm))
        ? nextSentence(results, fitting, top)
        : oursSentence(results, fitting, top),
      leftOut(results, small, 'much smaller'),
      leftOut(results, large, 'larger than requested'),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  ];
}

function nextSentence(results: PeersResults, fitting: readonly SurvivalRow[], top: number): string {
  const first = fitting.find((row) => partOf(row) !== top);
  if (first === undefined) return '';
  const next = fitting.filter((row) => partOf(row) === partOf(first));
  return `${listed(next.map(({ arm }) => named(results, arm)))} ${next.length === 1 ? 'is' : 'are'} next with ${shareText(first)}, ${points(top - (partOf(first) ?? 0))} behind.`;
}

function oursSentence(results: PeersResults, fitting: readonly SurvivalRow[], top: number): string {
  const own = fitting.find(({ arm }) => isOurs(arm));
  if (own === undefined) return 'precis did not run, or not at the requested size.';
  const part = partOf(own) ?? 0;
  const place = fitting.filter((row) => (partOf(row) ?? 0) > part).length + 1;
  return `**${named(results, own.arm)} is ${ordinal(place)} of ${fitting.length} with ${shareText(own)}, ${points(top - part)} behind.**`;
}

/** Also says what they keep, so that size does not hide an arm that keeps as much in less room. */
function leftOut(results: PeersResults, rows: readonly SurvivalRow[], size: string): string {
  if (rows.length === 0) return '';
  const isOne = rows.length === 1;
  const names = listed(rows.map(({ arm }) => named(results, arm)));
  const sizes = listed(rows.map(({ retained }) => percent(retained)));
  const shares = [...new Set(rows.map(shareText))];
  const keep = shares.length > 1 ? 'they keep' : isOne ? 'it keeps' : rows.length === 2 ? 'both keep' : 'all keep';
  return `${names} ${isOne ? 'is' : 'are'} not ranked, because ${isOne ? 'its' : 'their'} views are ${size} (${sizes} of the sessions); ${keep} ${listed(shares.length > 1 ? rows.map(shareText) : shares)}.`;
}

function ranked(rows: readonly SurvivalRow[]): readonly SurvivalRow[] {
  return rows.toSorted((one, other) => (partOf(other) ?? 0) - (partOf(one) ?? 0));
}
