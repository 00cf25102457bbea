/** What a row of the table means, in words that follow from its figures. */
import type { PeersResults, SurvivalRow, Teller } from '../peers/results.ts';
import { SEARCH_TOKENS } from '../peers/search-tokens.ts';
import { listed, partOf, percent, plural, points, shareText, whole } from './figures.ts';
import { isOurs, leadOf, named, neededMore, rowAfter } from './rows.ts';

/** The condition under which the summariser wrote. */
export const CONDITIONS: Readonly<Record<Teller, string>> = {
  none: 'without asking a model',
  silent: 'when the model says nothing of use',
  forgetful: 'when the model leaves out a quarter of the facts each time',
  rewording: 'when the model says every fact that it is shown in its own words',
  perfect: 'when the model repeats every fact that it is shown',
};

/** Differences below this are not worth a sentence. */
const NOTABLE = 0.03;
const FEW = 0.4;

export function meaningOf(results: PeersResults, row: SurvivalRow): string {
  if (row.facts === 0) return 'Had no facts to keep, so there is nothing to say of it.';
  const said = [
    `${keeps(row)}${why(row)}.`,
    repetition(results, row),
    searching(row),
    besideOurs(row),
    troubles(results, row),
  ];
  return said.filter((sentence) => sentence !== '').join(' ');
}

function keeps({ kept, facts, passes, teller }: SurvivalRow): string {
  return `Keeps ${whole(kept)} of ${plural(facts, 'fact')} after ${plural(passes, 'compaction')} ${CONDITIONS[teller]}`;
}

/** What the figures themselves say of the reason; nothing when they say none. */
function why(row: SurvivalRow): string {
  const part = partOf(row) ?? 0;
  if (row.teller === 'silent' && part < FEW && row.calls > 0) return ': what is not in the summary is gone';
  if (row.teller === 'silent' && isOurs(row.arm)) return ': its own quotes carry them, not the model';
  // A fact beside the other, not its cause: what was not shown may have been kept without the model.
  if ((row.teller === 'perfect' || row.teller === 'rewording') && part < 0.9 && row.shown < 0.9)
    return `; the model was shown ${percent(row.shown)} of the session`;
  const { oldest, newest } = row.byAge;
  if (part < FEW && (partOf(newest) ?? 0) > 2 * (partOf(oldest) ?? 0))
    return `: of the newest third ${shareText(newest)}, of the oldest ${shareText(oldest)}`;
  return '';
}

function searching({ withSearch, kept }: SurvivalRow): string {
  return withSearch === null || withSearch.kept === kept
    ? ''
    : `One search of the history with the question, of at most ${plural(SEARCH_TOKENS, 'token')}, raises that to ${shareText(withSearch)}.`;
}

function repetition(results: PeersResults, row: SurvivalRow): string {
  const fewest = Math.min(...results.passes);
  const first = row.passes === fewest ? null : rowAfter(results, row, fewest);
  const before = first === null ? null : partOf(first);
  if (before === null) return '';
  const change = (partOf(row) ?? 0) - before;
  if (Math.abs(change) < NOTABLE) return '';
  return `After ${plural(fewest, 'compaction')} it was ${percent(before)}, ${points(change)} ${change < 0 ? 'more' : 'less'}.`;
}

function besideOurs(row: SurvivalRow): string {
  const lead = leadOf(row);
  if (lead === null || row.ours === null) return '';
  const room = neededMore(row)
    ? ` (in ${percent(row.ours.retained)} of the session: it cannot do ${percent(row.retained)})`
    : '';
  if (lead === 0) return `precis keeps as many in the same size${room}.`;
  return `precis keeps ${shareText(row.ours)} in the same size${room}, ${points(lead)} ${lead > 0 ? 'less' : 'more'}.`;
}

function troubles(
  { sessions }: PeersResults,
  { teller, tooLarge, threw, skipped, calls, allowed }: SurvivalRow,
): string {
  const found = [
    ...(tooLarge > 0
      ? [`its view was more than a fifth larger than asked for in ${tooLarge} of ${plural(sessions.length, 'session')}`]
      : []),
    ...(threw > 0 ? [`it threw ${often(threw)}`] : []),
    ...(skipped > 0 ? [`it declined to compact ${often(skipped)}`] : []),
    ...(teller === 'perfect' && calls > 0 && allowed !== null
      ? [`it allows a summary of ${whole(allowed / calls)} tokens a call on average`]
      : []),
  ];
  if (found.length === 0) return '';
  const sentence = listed(found);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function often(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${whole(count)} times`;
}

/** `*pi (coding agent)* (silent)` */
export function nameOfRow(results: PeersResults, { arm, teller }: Pick<SurvivalRow, 'arm' | 'teller'>): string {
  return teller === 'none' ? named(results, arm) : `${named(results, arm)} (${teller})`;
}
