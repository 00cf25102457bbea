/** Explains a table row in words computed from its figures. */
import type { PeersResults, SurvivalRow, Teller } from '../peers/results.ts';
import { SEARCH_TOKENS } from '../peers/search-tokens.ts';
import { listed, partOf, percent, plural, points, shareText, whole } from './figures.ts';
import { isOurs, leadOf, named, neededMore, rowAfter } from './rows.ts';

/** How the summariser acted. */
export const CONDITIONS: Readonly<Record<Teller, string>> = {
  none: 'without a model',
  silent: 'when the summary states no facts',
  forgetful: 'when each summary leaves out a quarter of the facts',
  rewording: 'when the model states every fact it sees in its own words',
  perfect: 'when the model quotes every fact it sees',
};

/** Differences below this are not worth a sentence. */
const NOTABLE = 0.03;
const FEW = 0.4;

export function meaningOf(results: PeersResults, row: SurvivalRow): string {
  if (row.facts === 0) return 'Had no facts to keep.';
  const said = [
    `${keeps(row)}${why(row)}.`,
    repetition(results, row),
    searching(row),
    besideOurs(row),
    troubles(results, row),
  ];
  return said.filter((sentence) => sentence !== '').join(' ');
}

function keeps({ kept, facts, passes }: SurvivalRow): string {
  return `Keeps ${whole(kept)} of ${plural(facts, 'fact')} after ${plural(passes, 'compaction')}`;
}

/** The reason, where the figures themselves show one. */
function why(row: SurvivalRow): string {
  const part = partOf(row) ?? 0;
  if (row.teller === 'silent' && part < FEW && row.calls > 0) return ': content outside the summary is lost';
  if (row.teller === 'silent' && isOurs(row.arm)) return ': the facts come from its own quotes, not from the model';
  // Not necessarily the cause: the arm may keep facts that the model never saw.
  if ((row.teller === 'perfect' || row.teller === 'rewording') && part < 0.9 && row.shown < 0.9)
    return `; the model saw ${percent(row.shown)} of the session`;
  const { oldest, newest } = row.byAge;
  if (part < FEW && (partOf(newest) ?? 0) > 2 * (partOf(oldest) ?? 0))
    return `: ${shareText(newest)} of the newest third, ${shareText(oldest)} of the oldest`;
  return '';
}

function searching({ withSearch, kept }: SurvivalRow): string {
  return withSearch === null || withSearch.kept === kept
    ? ''
    : `One search of the history for the question (at most ${plural(SEARCH_TOKENS, 'token')}) raises that to ${shareText(withSearch)}.`;
}

function repetition(results: PeersResults, row: SurvivalRow): string {
  const fewest = Math.min(...results.passes);
  const first = row.passes === fewest ? null : rowAfter(results, row, fewest);
  const before = first === null ? null : partOf(first);
  if (before === null) return '';
  const change = (partOf(row) ?? 0) - before;
  if (Math.abs(change) < NOTABLE) return '';
  return `The share ${change < 0 ? 'falls' : 'rises'} from ${percent(before)} after ${plural(fewest, 'compaction')} to ${shareText(row)}.`;
}

function besideOurs(row: SurvivalRow): string {
  const lead = leadOf(row);
  if (lead === null || row.ours === null) return '';
  const room = neededMore(row)
    ? ` (using ${percent(row.ours.retained)} of the session, because it cannot reach ${percent(row.retained)})`
    : '';
  if (lead === 0) return `At the same size, precis keeps as many${room}.`;
  return `At the same size, precis keeps ${shareText(row.ours)}${room}, ${points(lead)} ${lead > 0 ? 'less' : 'more'} than this arm.`;
}

function troubles(
  { sessions }: PeersResults,
  { teller, tooLarge, threw, skipped, calls, allowed }: SurvivalRow,
): string {
  const found = [
    ...(tooLarge > 0
      ? [`its view was more than a fifth larger than requested in ${tooLarge} of ${plural(sessions.length, 'session')}`]
      : []),
    ...(threw > 0 ? [`it threw ${often(threw)}`] : []),
    ...(skipped > 0 ? [`it declined to compact ${often(skipped)}`] : []),
    ...(teller === 'perfect' && calls > 0 && allowed !== null
      ? [`it allows a summary of ${whole(allowed / calls)} tokens per call on average`]
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
