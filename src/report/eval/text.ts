import type { EvalSummary } from '../../eval/results/aggregate.ts';
import type { ArmSummary, Estimate } from '../../eval/results/arm-summary.ts';
import { plain, shorten } from '../escape.ts';
import { counted, percent, whole } from '../figures.ts';
import { textTable, wrapped } from '../text-table.ts';
import { detectableLine, mainCandidate } from './candidate.ts';

const COLUMNS = 80;
const MOST_MISSES = 8;

/** Writes an evaluation result for people, in at most `columns` characters per line. */
export function evalText(summary: EvalSummary, { columns = COLUMNS }: { readonly columns?: number } = {}): string {
  const { label, fixtures, probes, runs, judged } = summary;
  const head = `${plain(label)}: ${counted(fixtures.length, 'fixture')}, ${counted(probes, 'probe')}, ${counted(runs, 'run')}`;
  const judge = judged
    ? `judge ${plain(summary.judgeModel ?? '')}, answers by ${plain(summary.answerModel ?? '')}`
    : 'no model was asked';
  return [
    ...wrapped(`${head}; ${judge}.`, columns),
    '',
    ...armTable(summary, columns),
    '',
    ...typeTable(summary, columns),
    ...missLines(summary, columns),
    ...wrapped(detectableLine(summary), columns),
    '',
  ].join('\n');
}

function armTable({ totals, judged }: EvalSummary, columns: number): readonly string[] {
  const share = (estimate: Estimate | null): string => (estimate === null ? '–' : percent(estimate.mean));
  const span = ({ visible }: ArmSummary): string =>
    visible === null ? '–' : `${(100 * visible.low).toFixed(0)}–${(100 * visible.high).toFixed(0)}`;
  const size = ({ tokens, tokensOfSource }: ArmSummary): string =>
    tokensOfSource === 0 ? '–' : `${((100 * tokens) / tokensOfSource).toFixed(0)} %`;
  const all: readonly (readonly [string, (row: ArmSummary) => string, boolean])[] = [
    ['arm', ({ arm }) => plain(arm), true],
    ['pass', ({ pass }) => (pass === 0 ? '–' : String(pass)), true],
    ['visible', ({ visible }) => share(visible), true],
    ['95 %', span, !judged],
    ['recall', ({ survival }) => share(survival), true],
    ['answers', ({ answers }) => share(answers), judged],
    ['grade', ({ overall }) => (overall === null ? '–' : overall.median.toFixed(2)), judged],
    ['silent', ({ silent }) => String(silent), true],
    ['tokens', ({ tokens }) => whole(tokens), true],
    ['size', size, !judged],
  ];
  const shown = all.filter(([, , isShown]) => isShown);
  return textTable(
    shown.map(([title]) => title),
    totals.map((row) => shown.map(([, textOf]) => textOf(row))),
    columns,
  );
}

function typeTable(summary: EvalSummary, columns: number): readonly string[] {
  const types = Object.entries(mainCandidate(summary)?.byType ?? {});
  if (types.length === 0) return [];
  return [
    ...wrapped(`by type: ${types.map(([type, share]) => `${type} ${percent(share.mean)}`).join(', ')}`, columns, '  '),
    '',
  ];
}

function missLines({ misses, judged }: EvalSummary, columns: number): readonly string[] {
  if (misses.length === 0) return [judged ? 'No probe was graded below 3.0.' : 'No fact was lost.', ''];
  const lines = misses.slice(0, MOST_MISSES).map(({ fixture, probe, pass, grade, facts, note, isSilent }) => {
    const what =
      grade === null
        ? facts.map(({ value, outcome }) => `${outcome}: ${value}`).join('; ')
        : `${grade.toFixed(1)} ${note}`;
    const place = `  ${fixture} / ${probe}${pass > 1 ? ` (pass ${pass})` : ''}${isSilent ? ', silent' : ''}`;
    return shorten(`${plain(place).padStart(2)}: ${plain(what)}`, columns);
  });
  const more = misses.length - lines.length;
  const title = judged ? 'graded below 3.0' : 'with lost facts';
  return [
    `${counted(misses.length, 'probe')} ${title}${more > 0 ? ', the first:' : ':'}`,
    ...lines.map((line) => shorten(`  ${line}`, columns)),
    '',
  ];
}
