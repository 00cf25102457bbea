/** The text an evaluation prints at its end. `src/report` makes reports with intervals from the same files. */

import { ARMS } from '../../../eval/run/arms/arms.ts';
import { DIMENSIONS, PROBE_TYPES, type RunResult } from '../../../eval/types.ts';
import { cut, type Paint, whole } from '../../screen/paint.ts';
import { type ArmMeans, meansByArm } from './arm-means.ts';

const TITLES: Readonly<Record<string, string>> = {
  full: 'full context',
  none: 'no context',
  truncation: 'truncation',
  'condense-only': 'condensing only',
  candidate: 'precis',
  'candidate+recall': 'precis + one search',
};

const NAME = 21;
const COLUMNS = 80;
const BAR = 20;

/** The table for people. */
export function reportText(runs: readonly RunResult[], paint: Paint, columns: number): string {
  const summaries = inOrder(meansByArm(runs));
  const fixtures = [...new Set(runs.map(({ fixture }) => fixture))];
  const facts = new Set(runs.flatMap(({ cells }) => cells.map(({ fixture, probe }) => `${fixture} ${probe}`))).size;
  const isJudged = runs.some(({ provenance }) => provenance.judgeModel !== null);
  const head = [
    '',
    paint(
      'bold',
      `Facts kept for ${whole(facts)} questions about ${fixtures.length === 1 ? 'one session' : `${fixtures.length} sessions`}`,
    ),
    '',
    paint('dim', `${pad('', NAME)} ${right('facts kept', 10)} ${right('tokens', 9)} ${right('share', 7)}`),
  ];
  const rows = summaries.map((summary) => {
    const { arm, survival, tokens, tokensOfSource } = summary;
    const share = tokensOfSource === 0 ? null : tokens / tokensOfSource;
    const bar = survival === null ? '' : `  ${'█'.repeat(Math.round(survival * BAR))}`;
    const name = pad(titleOf(arm), NAME);
    const isOurs = arm === 'candidate' || !(ARMS as readonly string[]).includes(arm);
    return `${isOurs ? paint('bold', name) : name} ${right(percent(survival), 10)} ${right(whole(tokens), 9)} ${right(percent(share), 7)}${paint(isOurs ? 'green' : 'dim', bar)}`;
  });
  return [
    ...head,
    ...rows,
    ...groupTable(summaries, { title: 'by kind of question', groups: PROBE_TYPES, of: ({ byType }) => byType }, paint),
    ...groupTable(summaries, { title: 'by session', groups: fixtures, of: ({ byFixture }) => byFixture }, paint),
    ...passTable(summaries, paint),
    ...(isJudged ? gradeTable(summaries, paint) : []),
    ...missLines(runs, columns, paint),
    ...invalidLines(summaries, columns, paint),
    '',
  ].join('\n');
}

function inOrder(summaries: readonly ArmMeans[]): readonly ArmMeans[] {
  const order = ['full', 'candidate+recall', 'candidate', 'condense-only', 'truncation', 'none'];
  const place = (arm: string): number => (order.includes(arm) ? order.indexOf(arm) : 2.5);
  return summaries.toSorted((one, other) => place(one.arm) - place(other.arm));
}

/** A table of the share of facts kept in each group. */
interface GroupTable {
  readonly title: string;
  readonly groups: readonly string[];
  readonly of: (summary: ArmMeans) => Readonly<Record<string, number | null>>;
}

function groupTable(
  summaries: readonly ArmMeans[],
  { title, groups, of }: GroupTable,
  paint: Paint,
): readonly string[] {
  const shown = groups.filter((group) => summaries.some((summary) => of(summary)[group] != null));
  if (shown.length < 2) return [];
  const compared = summaries.filter(({ arm }) => arm !== 'full' && arm !== 'none');
  // Arms of the user's own make more columns: then the titles share what is left of the line.
  const most = Math.max(7, Math.floor((COLUMNS - NAME - 1) / Math.max(1, compared.length)));
  const fits = compared.reduce((sum, { arm }) => sum + Math.max(7, titleOf(arm).length + 2), NAME + 1) <= COLUMNS;
  const widths = compared.map(({ arm }) => (fits ? Math.max(7, titleOf(arm).length + 2) : most));
  return [
    '',
    paint(
      'dim',
      `${pad(title, NAME)} ${compared.map(({ arm }, at) => right(cut(titleOf(arm), (widths[at] ?? 7) - 1), widths[at] ?? 7)).join('')}`,
    ),
    ...shown.map(
      (group) =>
        `${pad(group, NAME)} ${compared.map((summary, at) => right(percent(of(summary)[group] ?? null), widths[at] ?? 7)).join('')}`,
    ),
  ];
}

function passTable(summaries: readonly ArmMeans[], paint: Paint): readonly string[] {
  const passes = [...new Set(summaries.flatMap(({ byPass }) => Object.keys(byPass)))]
    .filter((pass) => pass !== '0')
    .sort((a, b) => Number(a) - Number(b));
  return groupTable(summaries, { title: 'after compaction', groups: passes, of: ({ byPass }) => byPass }, paint);
}

const GRADES = ['accuracy', 'context', 'artifact', 'complete', 'continue', 'instruct', 'overall'];
/** Narrower than in the other tables, so that all grades fit 80 columns. */
const GRADE_NAME = 19;

function gradeTable(summaries: readonly ArmMeans[], paint: Paint): readonly string[] {
  const line = (name: string, cells: readonly string[]): string =>
    `${pad(name, GRADE_NAME)}${cells.map((cell, at) => right(cell, (GRADES[at] ?? '').length + 1)).join('')}`;
  return [
    '',
    paint('dim', line('grades, 0 to 5', GRADES)),
    ...summaries.map(({ arm, grades, grade }) => {
      const values = [...DIMENSIONS.map((dimension) => grades[dimension] ?? null), grade];
      return line(
        titleOf(arm),
        values.map((value) => (value === null ? '–' : value.toFixed(2))),
      );
    }),
    ...summaries.flatMap(({ arm, errors }) => (errors === 0 ? [] : [`${titleOf(arm)}: ${errors} without a grade`])),
  ];
}

function titleOf(arm: string): string {
  return TITLES[arm] ?? arm;
}

const MOST_MISSES = 6;

function missLines(runs: readonly RunResult[], columns: number, paint: Paint): readonly string[] {
  const misses = runs
    .filter(({ run }) => run === 1)
    .flatMap(({ cells }) => cells)
    .filter(({ arm, survival }) => arm === 'candidate' && survival !== null && survival < 1);
  if (misses.length === 0) return [];
  const lines = misses.slice(0, MOST_MISSES).map(({ fixture, probe, facts }) => {
    const lost = facts.filter(({ outcome }) => outcome !== 'verbatim' && outcome !== 'normalised');
    return cut(
      `  ${fixture} / ${probe}: ${lost.map(({ value, outcome }) => `${outcome} “${value}”`).join(', ')}`,
      columns - 1,
    );
  });
  const more = misses.length - lines.length;
  return [
    '',
    paint('dim', 'facts that precis did not keep'),
    ...lines,
    ...(more > 0 ? [`  and ${more} more questions`] : []),
  ];
}

function invalidLines(summaries: readonly ArmMeans[], columns: number, paint: Paint): readonly string[] {
  const lines = summaries.flatMap(({ arm, invalid }) =>
    invalid.map((reason) => cut(`  ${arm}: ${reason}`, columns - 1)),
  );
  return lines.length === 0
    ? []
    : [
        '',
        paint('yellow', 'not scored'),
        ...lines.slice(0, 10),
        ...(lines.length > 10 ? [`  and ${lines.length - 10} more`] : []),
      ];
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(value > 0.995 || value < 0.0005 ? 0 : 1)} %`;
}

function pad(text: string, width: number): string {
  return text.padEnd(width).slice(0, Math.max(width, text.length));
}

function right(text: string, width: number): string {
  return text.padStart(width);
}
