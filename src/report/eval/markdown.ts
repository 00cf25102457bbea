import type { EvalSummary } from '../../eval/results/aggregate.ts';
import type { ArmSummary, Estimate } from '../../eval/results/arm-summary.ts';
import type { Miss } from '../../eval/results/misses.ts';
import type { Dimension } from '../../eval/types.ts';
import { markdown, shorten } from '../escape.ts';
import { counted, percent, usd, whole } from '../figures.ts';
import { markdownTable } from '../text-table.ts';
import { detectableLine, mainCandidate } from './candidate.ts';

const COLUMNS: Readonly<Record<Dimension, string>> = {
  accuracy: 'Accuracy',
  context_awareness: 'Context',
  artifact_trail: 'Artifact',
  completeness: 'Complete',
  continuity: 'Continuity',
  instruction_following: 'Instruction',
};
const DIMENSIONS = Object.keys(COLUMNS) as readonly Dimension[];

/** Writes an evaluation result as Markdown, to paste into a pull request. */
export function evalMarkdown(summary: EvalSummary): string {
  return [
    `# Compaction eval: ${markdown(summary.label)}`,
    '',
    ...headLines(summary),
    '',
    ...(summary.judged ? [...gradeTable(summary), ''] : []),
    '## Survival of facts',
    '',
    ...survivalTable(summary.totals, summary),
    '',
    ...(summary.fixtures.length > 1 ? fixtureSurvival(summary) : []),
    ...partTables(summary),
    ...missLines(summary),
    '',
    detectableLine(summary),
    '',
  ].join('\n');
}

function headLines(summary: EvalSummary): readonly string[] {
  const { compressorModel, answerModel, judgeModel, runs, fixtures, judged, probes, passes } = summary;
  const model = (name: string | null): string => (name === null ? 'none' : markdown(name));
  return [
    `Summaries by: ${model(compressorModel)} · answers: ${model(answerModel)} · **judge: ${model(judgeModel)}**`,
    '',
    `${counted(fixtures.length, 'fixture')}, ${counted(probes, 'probe')}, ${counted(passes, 'pass').replace(/passs$/, 'passes')}, ${counted(runs, 'run')}${judged ? ', medians reported' : ''}. precis ${markdown(summary.precis)}, ${(summary.ms / 1000).toFixed(1)} s, cost ${usd(summary.usd)}.`,
  ];
}

/** Lists the rows of the candidate after its last pass. */
function candidateRows(summary: EvalSummary): readonly ArmSummary[] {
  const candidate = mainCandidate(summary);
  return summary.rows.filter(
    ({ arm, pass, fixture }) => arm === candidate?.arm && pass === lastPass(summary.rows, arm, fixture),
  );
}

function lastPass(rows: readonly ArmSummary[], arm: string, fixture: string | null): number {
  return Math.max(...rows.filter((row) => row.arm === arm && row.fixture === fixture).map(({ pass }) => pass));
}

function gradeTable(summary: EvalSummary): readonly string[] {
  const grade = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(2));
  const rows = candidateRows(summary).map((row) => [
    markdown(row.fixture ?? ''),
    ...DIMENSIONS.map((dimension) => grade(row.grades?.[dimension]?.median)),
    grade(row.overall?.median),
  ]);
  const total = mainCandidate(summary);
  const means = [
    '**mean, 95 %**',
    ...DIMENSIONS.map((dimension) => spanOf(total?.grades?.[dimension] ?? null)),
    spanOf(total?.overall ?? null),
  ];
  return markdownTable(['Fixture', ...DIMENSIONS.map((dimension) => COLUMNS[dimension]), 'Overall'], [...rows, means]);
}

function spanOf(estimate: Estimate | null): string {
  if (estimate === null) return '–';
  return `${estimate.mean.toFixed(2)} (${estimate.low.toFixed(1)}–${estimate.high.toFixed(1)})`;
}

function survivalTable(rows: readonly ArmSummary[], { judged }: EvalSummary): readonly string[] {
  return markdownTable(
    [
      'Arm',
      'Pass',
      'Visible (95 %)',
      'With recall',
      ...(judged ? ['Answers'] : []),
      'Retention',
      'Silent',
      'Lost',
      'Tokens',
      'Of source',
    ],
    rows.map((row) => [
      markdown(row.arm),
      row.pass === 0 ? '–' : String(row.pass),
      shareSpan(row.visible),
      row.survival === null ? '–' : percent(row.survival.mean),
      ...(judged ? [row.answers === null ? '–' : percent(row.answers.mean)] : []),
      row.retention === null ? '–' : percent(row.retention),
      String(row.silent),
      String(row.loud),
      whole(row.tokens),
      row.tokensOfSource === 0 ? '–' : percent(row.tokens / row.tokensOfSource),
    ]),
  );
}

function shareSpan(estimate: Estimate | null): string {
  if (estimate === null) return '–';
  return `${percent(estimate.mean)} (${(100 * estimate.low).toFixed(0)}–${(100 * estimate.high).toFixed(0)})`;
}

function fixtureSurvival(summary: EvalSummary): readonly string[] {
  return [
    ...markdownTable(
      ['Fixture', 'Probes', 'Visible (95 %)', 'With recall', 'Tokens'],
      candidateRows(summary).map((row) => [
        markdown(row.fixture ?? ''),
        String(row.probes),
        shareSpan(row.visible),
        row.survival === null ? '–' : percent(row.survival.mean),
        whole(row.tokens),
      ]),
    ),
    '',
  ];
}

function partTables(summary: EvalSummary): readonly string[] {
  const candidate = mainCandidate(summary);
  if (candidate === null) return [];
  const types = Object.entries(candidate.byType).map(([type, share]) => [type, String(share.count), shareSpan(share)]);
  const kinds = Object.entries(candidate.byKind).map(([kind, { count, visible, kept }]) => [
    kind,
    String(count),
    percent(visible / count),
    percent(kept / count),
  ]);
  const both =
    candidate.micro === null || candidate.macro === null
      ? []
      : [`All facts alike: ${percent(candidate.micro)} visible; all kinds alike: ${percent(candidate.macro)}.`, ''];
  return [
    ...(types.length === 0 ? [] : [...markdownTable(['Probe type', 'Probes', 'Visible (95 %)'], types), '']),
    ...(kinds.length === 0 ? [] : [...markdownTable(['Kind of fact', 'Facts', 'Visible', 'With recall'], kinds), '']),
    ...both,
  ];
}

/** Most misses to list. The JSON report holds them all. */
const MOST_MISSES = 50;

function missLines({ misses, judged }: EvalSummary): readonly string[] {
  const title = judged ? '## Per-probe misses (score < 3.0)' : '## Lost facts';
  if (misses.length === 0) return [title, '', 'None.'];
  const more = misses.length - MOST_MISSES;
  return [
    title,
    '',
    ...misses.slice(0, MOST_MISSES).map((miss) => `- ${missText(miss)}`),
    ...(more > 0 ? [`- and ${more} more, in report.json`] : []),
  ];
}

function missText(miss: Miss): string {
  const place = `${markdown(miss.fixture)} / ${markdown(miss.probe)}${miss.pass > 1 ? ` (pass ${miss.pass})` : ''}`;
  const silent = miss.isSilent ? '**silent** ' : '';
  const facts = miss.facts.map(({ value, outcome, note }) => {
    const why = note === '' ? '' : ` (${markdown(shorten(note, 80))})`;
    return `${markdown(shorten(value, 60))}: ${outcome}${why}`;
  });
  if (miss.grade === null) return `${place}: ${silent}${facts.join('; ')}`;
  const note = miss.note === '' ? facts.join('; ') : markdown(shorten(miss.note, 160));
  return `${place}: ${miss.grade.toFixed(1)} — ${silent}${note}`;
}
