import type { PeersResults, Share, SurvivalRow, Teller } from '../../peers/results.ts';
import { listed, NONE, percent, plural, shareText, whole } from '../figures.ts';
import { blocks, inline, left, list, right, table } from '../markdown.ts';
import { isOurs, lastRows, leadOf, mostPasses, neededMore, rowAfter, TELLERS, titleOf } from '../rows.ts';
import { meaningOf } from '../sentences.ts';

/** Marks a figure where another arm keeps more than precis at the same size. */
export const AHEAD = '▲';

const HEADINGS: Readonly<Record<Teller, string>> = {
  none: 'Without a model',
  silent: 'With a summariser that states no facts',
  forgetful: 'With a forgetful summariser',
  rewording: 'With a perfect summariser that rewords',
  perfect: 'With a perfect summariser',
};

const ABOUT: Readonly<Record<Teller, string>> = {
  none: 'No model is called. Code alone chooses what to keep.',
  silent:
    'The _silent_ summariser writes a well-formed summary without a single fact. The table shows what each design keeps on its own. This is one end of the scale.',
  forgetful:
    'This summariser acts like the perfect one below, but each summary leaves out a different quarter of the facts. The table shows what each design makes of a good but imperfect model.',
  rewording:
    'This summariser states the same facts as the perfect one below, but as question and value instead of a quote. The table shows what each design makes of a model that uses its own words.',
  perfect:
    'This summariser knows the questions. It quotes every fact that it is shown, up to the allowed length. The table shows how much each design lets a model see and how much of the summary it keeps. This is the other end of the scale.',
};

export function survival(results: PeersResults): string {
  return blocks(
    '## Facts kept',
    how(results),
    '![Facts kept by each arm, and by precis at the same size](charts/survival.svg)',
    ...TELLERS.map((teller) => ofTeller(results, teller)),
  );
}

function how(results: PeersResults): string {
  const last = plural(mostPasses(results), 'compaction');
  return blocks(
    `The bench feeds each session to an arm in parts, and the arm compacts after each part: ${listed(results.passes.map(String))} times in a row. The bench turns the arm’s knob until the view
comes nearest to the requested size. Of the views that fit on the way, it takes the one that keeps the most facts. That favours the others, because precis
at the same size gets a single try. A fact is kept if the last view contains it literally, apart from white space.`,
    `The first columns show the share of facts kept after each number of compactions. The others refer to ${last}:`,
    list([
      '*constraints*: the share of the user’s constraints that the arm keeps.',
      '*size*: the size of the views, as a share of the sessions.',
      '*precis, same size*: **what precis keeps in views of exactly the same sizes**, with the same summariser.',
      '*shown*: the tokens that the summariser read, as a share of the sessions.',
      '*calls*: the number of summary calls over all sessions.',
    ]),
    `${AHEAD} marks a figure above that of precis at the same size. Points are differences of exact shares, so they may differ by one from the rounded figures.`,
  );
}

function ofTeller(results: PeersResults, teller: Teller): string {
  const rows = lastRows(results, teller);
  if (rows.length === 0) return '';
  const asks = teller !== 'none';
  const columns = [
    left('arm'),
    ...results.passes.map((passes) => right(passes === 1 ? 'after 1' : String(passes))),
    right('constraints'),
    right('size'),
    right('precis, same size'),
    ...(asks ? [right('shown'), right('calls')] : []),
  ];
  return blocks(
    `### ${HEADINGS[teller]}`,
    ABOUT[teller],
    table(
      columns,
      rows.map((row) => [
        isOurs(row.arm) ? `**${titleOf(results, row.arm)}**` : titleOf(results, row.arm),
        ...results.passes.map((passes) => keptCell(rowAfter(results, row, passes))),
        shareText(constraintsOf(row)),
        row.tooLarge > 0 ? `${percent(row.retained)} *` : percent(row.retained),
        oursCell(row),
        ...(asks ? [percent(row.shown), whole(row.calls)] : []),
      ]),
    ),
    notes(rows),
    list(rows.map((row) => `**${inline(titleOf(results, row.arm))}**: ${meaningOf(results, row)}`)),
  );
}

function keptCell(row: SurvivalRow | null): string {
  if (row === null) return NONE;
  return (leadOf(row) ?? 0) > 0 ? `**${shareText(row)}** ${AHEAD}` : shareText(row);
}

function oursCell(row: SurvivalRow): string {
  if (row.ours === null) return NONE;
  return neededMore(row) ? `${shareText(row.ours)} (in ${percent(row.ours.retained)})` : shareText(row.ours);
}

function constraintsOf({ byKind }: SurvivalRow): Share {
  return byKind['constraint'] ?? { kept: 0, facts: 0 };
}

function notes(rows: readonly SurvivalRow[]): string {
  const found = [
    ...(rows.some(({ tooLarge }) => tooLarge > 0)
      ? ['\\* In some sessions, the view is more than a fifth larger than requested.']
      : []),
    ...(rows.some(neededMore)
      ? ['(in …): precis cannot make a view that small. This is its smallest view, so it had more room.']
      : []),
  ];
  return found.join(' ');
}
