import type { PeersResults, Share, SurvivalRow, Teller } from '../../peers/results.ts';
import { listed, NONE, percent, plural, shareText, whole } from '../figures.ts';
import { blocks, inline, left, list, right, table } from '../markdown.ts';
import { isOurs, lastRows, leadOf, mostPasses, neededMore, rowAfter, TELLERS, titleOf } from '../rows.ts';
import { meaningOf } from '../sentences.ts';

/** Beside a figure: here another arm keeps more than precis in the same size. */
export const AHEAD = '▲';

const HEADINGS: Readonly<Record<Teller, string>> = {
  none: 'Without a model',
  silent: 'With a summariser that says nothing of use',
  forgetful: 'With a summariser that forgets',
  rewording: 'With a perfect summariser that rewords',
  perfect: 'With a perfect summariser',
};

const ABOUT: Readonly<Record<Teller, string>> = {
  none: 'No model is asked: what is kept is what code chose.',
  silent:
    'The summariser answers in good form and names no fact: what each design keeps by itself. This is one end of the scale.',
  forgetful:
    'As the perfect one below, but each time it is asked it leaves out a quarter of the facts it could repeat, another quarter each time: what a design makes of a good model that is not perfect.',
  rewording:
    'The same facts as the perfect one below, each as the question and the value instead of a quote: what a design makes of a model that writes in its own words.',
  perfect:
    'The summariser knows the questions and repeats every fact in what it is shown, up to the length it is allowed: what each design lets a model see and keeps of its words. This is the other end of the scale.',
};

export function survival(results: PeersResults): string {
  return blocks(
    '## Facts kept, and at equal sizes',
    how(results),
    '![Facts kept by each arm, with precis at the same size beside it](charts/survival.svg)',
    ...TELLERS.map((teller) => ofTeller(results, teller)),
  );
}

function how(results: PeersResults): string {
  const last = plural(mostPasses(results), 'compaction');
  return `Each session is fed in parts and compacted after each, ${listed(results.passes.map(String))} times in a row. The knob of each arm is turned until its view comes nearest to the
size asked for; of several settings on the way whose views fit, the one that keeps most facts counts. That is generous to the others: precis in the same
size is one try, without a choice. A fact is kept when it is literally in the last view, white space folded. The columns from *constraints* on are of ${last}: facts
that are constraints of the user; the size of the views by that of the sessions; **precis in views of the very sizes that this arm gave**, with the same
summariser; tokens that the summariser read by tokens of the sessions; how often it was asked, all sessions together. ${AHEAD} marks a figure above that
of precis in the same size. Points are differences of the exact shares and may be one off those of the rounded ones.`;
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
      ? ['\\* in some sessions more than a fifth larger than asked for.']
      : []),
    ...(rows.some(neededMore)
      ? ['(in …): precis cannot make a view so small; this is the smallest it could, so it had more room.']
      : []),
  ];
  return found.join(' ');
}
