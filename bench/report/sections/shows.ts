/** What the figures come to, in sentences that are computed: who is best, and where precis is behind. */
import type { PeersResults, SurvivalRow, Teller } from '../../peers/results.ts';
import { largestBehind } from '../causes.ts';
import { listed, ordinal, partOf, percent, plural, points, shareText, whole } from '../figures.ts';
import { blocks, list } from '../markdown.ts';
import { isOurs, lastRows, leadOf, mostPasses, named, rowAfter, TELLERS } from '../rows.ts';
import { CONDITIONS, nameOfRow } from '../sentences.ts';
import { costSentences } from './cost.ts';
import { filesSentence } from './files.ts';
import { misbehaviourSentence } from './misbehaviour.ts';
import { soundnessSentence } from './soundness.ts';

export function shows(results: PeersResults): string {
  return blocks('## What it shows', list(findings(results)));
}

function findings(results: PeersResults): readonly string[] {
  return [
    ...TELLERS.flatMap((teller) => bestWith(results, teller)),
    sameSizeSentence(results),
    repeatSentence(results),
    misbehaviourSentence(results),
    filesSentence(results),
    ...costSentences(results),
    soundnessSentence(results),
  ].filter((sentence) => sentence !== '');
}

/** Who keeps most with this summariser, among views of about the size that was asked for; then those that keep more in larger ones. */
export function bestWith(results: PeersResults, teller: Teller): readonly string[] {
  const rows = lastRows(results, teller).filter(({ facts }) => facts > 0);
  const fitting = ranked(rows.filter(({ tooLarge }) => tooLarge === 0));
  const [best] = fitting;
  if (best === undefined) return [];
  const top = partOf(best) ?? 0;
  const leaders = fitting.filter((row) => partOf(row) === top);
  const names = listed(leaders.map(({ arm }) => named(results, arm)));
  const next = fitting.find((row) => partOf(row) !== top);
  const larger = ranked(rows.filter((row) => row.tooLarge > 0 && (partOf(row) ?? 0) > top));
  const condition = CONDITIONS[teller];
  return [
    [
      `${condition.charAt(0).toUpperCase()}${condition.slice(1)}, ${names} ${leaders.length === 1 ? 'keeps' : 'keep'} most: ${whole(best.kept)} of ${plural(best.facts, 'fact')} (${shareText(best)}) after ${plural(best.passes, 'compaction')}.`,
      leaders.some(({ arm }) => isOurs(arm)) ? nextSentence(results, next, top) : oursSentence(results, fitting, top),
      ...larger.map(
        (row) =>
          `${named(results, row.arm)} keeps ${shareText(row)}, in views larger than asked for: ${percent(row.retained)} of the sessions instead of ${percent(best.retained)}.`,
      ),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  ];
}

function nextSentence(results: PeersResults, next: SurvivalRow | undefined, top: number): string {
  if (next === undefined) return '';
  return `Next is ${named(results, next.arm)} with ${shareText(next)}, ${points(top - (partOf(next) ?? 0))} less.`;
}

function oursSentence(results: PeersResults, fitting: readonly SurvivalRow[], top: number): string {
  const own = fitting.find(({ arm }) => isOurs(arm));
  if (own === undefined) return 'precis did not run, or not in the size that was asked for.';
  const part = partOf(own) ?? 0;
  const place = fitting.filter((row) => (partOf(row) ?? 0) > part).length + 1;
  return `**${named(results, own.arm)} is ${ordinal(place)} of ${fitting.length} with ${shareText(own)}, ${points(top - part)} behind.**`;
}

/** All comparisons at equal size: arm, summariser and number of compactions. */
export function sameSizeSentence(results: PeersResults): string {
  const compared = results.survival.flatMap((row) => {
    const lead = leadOf(row);
    return lead === null ? [] : [{ row, lead }];
  });
  if (compared.length === 0) return '';
  const count = (which: (lead: number) => boolean): number => compared.filter(({ lead }) => which(lead)).length;
  const behind = count((lead) => lead > 0);
  const worst = compared.toSorted((one, other) => other.lead - one.lead)[0];
  const gap =
    behind === 0 || worst === undefined
      ? ''
      : ` The largest gap against precis is ${points(worst.lead)}: ${nameOfRow(results, worst.row)}, after ${plural(worst.row.passes, 'compaction')}. See [where others are ahead](#where-others-are-ahead).`;
  return `In views of the very sizes that the others gave, precis keeps more facts in ${count((lead) => lead < 0)} of ${plural(compared.length, 'comparison')}, as many in ${count((lead) => lead === 0)} and fewer in ${behind}${small(compared.filter(({ lead }) => lead > 0).map(({ row }) => row))}.${gap}`;
}

/** Up to this size fixed parts are much of a view. */
const SMALL_VIEW = 2_000;

/** How many of the rows are behind in small views alone. */
function small(rows: readonly SurvivalRow[]): string {
  const only = rows.filter(({ behind }) => behind.length > 0 && largestBehind(behind) <= SMALL_VIEW).length;
  return only === 0 ? '' : `, in ${only === rows.length ? 'all' : only} of these only in views of at most 2,000 tokens`;
}

function repeatSentence(results: PeersResults): string {
  const fewest = Math.min(...results.passes);
  const most = mostPasses(results);
  if (fewest === most) return '';
  const losses = TELLERS.flatMap((teller) => lastRows(results, teller)).flatMap((row) => {
    const first = rowAfter(results, row, fewest);
    const before = first === null ? null : partOf(first);
    const after = partOf(row);
    return before === null || after === null ? [] : [{ row, loss: before - after }];
  });
  const own = losses
    .filter(({ row }) => isOurs(row.arm))
    .map(({ row, loss }) => `${nameOfRow(results, row)} ${change(loss)}`);
  const worst = losses.filter(({ row }) => !isOurs(row.arm)).toSorted((one, other) => other.loss - one.loss)[0];
  if (own.length === 0) return '';
  const other =
    worst === undefined || worst.loss <= 0
      ? ''
      : ` Of the others, ${nameOfRow(results, worst.row)} loses most: ${points(worst.loss)}.`;
  return `Between ${plural(fewest, 'compaction')} and ${most} in a row: ${listed(own)}.${other}`;
}

function change(loss: number): string {
  if (loss === 0) return 'loses nothing';
  return loss > 0 ? `loses ${points(loss)}` : `gains ${points(loss)}`;
}

function ranked(rows: readonly SurvivalRow[]): readonly SurvivalRow[] {
  return rows.toSorted((one, other) => (partOf(other) ?? 0) - (partOf(one) ?? 0));
}
