/** What an evaluation says on a screen at its end. The reports with intervals are made from the same files by `src/report`. */

import { gradesOf } from '../../../eval/results/conditions.ts';
import { ARMS } from '../../../eval/run/arms/arms.ts';
import { meanOrNull as mean } from '../../../eval/statistics/interval.ts';
import { type Cell, DIMENSIONS, PROBE_TYPES, type RunResult, type StateResult } from '../../../eval/types.ts';
import { cut, type Paint, whole } from '../../screen/paint.ts';

const TITLES: Readonly<Record<string, string>> = {
  full: 'full context',
  none: 'no context',
  truncation: 'truncation',
  'condense-only': 'condensing only',
  candidate: 'precis',
  'candidate+recall': 'precis + one search',
};

/** One arm over all runs. Every figure follows from the files of the runs. */
export interface ArmSummary {
  readonly arm: string;
  readonly survival: number | null;
  readonly visible: number | null;
  readonly tokens: number;
  readonly tokensOfSource: number;
  readonly cells: number;
  readonly errors: number;
  readonly retries: number;
  readonly grade: number | null;
  readonly grades: Readonly<Record<string, number | null>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly byFixture: Readonly<Record<string, number | null>>;
  readonly byType: Readonly<Record<string, number | null>>;
  readonly byPass: Readonly<Record<string, number | null>>;
  readonly invalid: readonly string[];
}

export function summariesOf(runs: readonly RunResult[]): readonly ArmSummary[] {
  const arms = [...new Set(runs.flatMap(({ states }) => states.map(({ arm }) => arm)))];
  return arms.map((arm) => summaryOf(runs, arm));
}

function summaryOf(runs: readonly RunResult[], arm: string): ArmSummary {
  const cells = runs.flatMap((run) => run.cells.filter((cell) => cell.arm === arm));
  const states = runs.flatMap((run) =>
    run.states.filter((state) => state.arm === arm).map((state) => ({ run, state })),
  );
  const valid = states.filter(({ state }) => state.invalid === null).map(({ state }) => state);
  const judged = cells.flatMap((cell) => cell.judged ?? []);
  const last = lastPasses(valid);
  return {
    arm,
    survival: survivalOf(cells),
    visible: mean(cells.flatMap(({ visible }) => visible ?? [])),
    tokens: Math.round(mean(last.map(({ tokens }) => tokens)) ?? 0),
    tokensOfSource: Math.round(mean(last.map(({ tokensOfSource }) => tokensOfSource)) ?? 0),
    cells: cells.length,
    errors: judged.filter(({ outcome }) => outcome === 'error').length,
    retries: judged.reduce((sum, { retries }) => sum + retries, 0),
    grade: mean(judged.flatMap(({ grades }) => mean(gradesOf(grades)) ?? [])),
    grades: Object.fromEntries(
      DIMENSIONS.map((dimension) => [dimension, mean(judged.flatMap(({ grades }) => grades?.[dimension] ?? []))]),
    ),
    outcomes: counted(judged.map(({ outcome }) => outcome)),
    byFixture: grouped(cells, ({ fixture }) => fixture),
    byType: grouped(cells, ({ type }) => type),
    byPass: grouped(cells, ({ pass }) => String(pass)),
    invalid: states.flatMap(({ run, state }) =>
      state.invalid === null ? [] : [`${run.fixture}, run ${run.run}, pass ${state.pass}: ${state.invalid}`],
    ),
  };
}

function lastPasses(states: readonly StateResult[]): readonly StateResult[] {
  const last = Math.max(...states.map(({ pass }) => pass));
  return states.filter(({ pass }) => pass === last);
}

function survivalOf(cells: readonly Cell[]): number | null {
  return mean(cells.flatMap(({ survival }) => survival ?? []));
}

function grouped(cells: readonly Cell[], by: (cell: Cell) => string): Readonly<Record<string, number | null>> {
  const groups = Map.groupBy(cells, by);
  return Object.fromEntries([...groups].map(([name, group]) => [name, survivalOf(group)]));
}

function counted(values: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
}

const NAME = 21;
const BAR = 20;

/** The table for people. */
export function reportText(runs: readonly RunResult[], paint: Paint, columns: number): string {
  const summaries = inOrder(summariesOf(runs));
  const fixtures = [...new Set(runs.map(({ fixture }) => fixture))];
  const facts = new Set(runs.flatMap(({ cells }) => cells.map(({ fixture, probe }) => `${fixture} ${probe}`))).size;
  const isJudged = runs.some(({ provenance }) => provenance.judgeModel !== null);
  const head = [
    '',
    paint(
      'bold',
      `What is left to answer ${whole(facts)} questions about ${fixtures.length === 1 ? 'one session' : `${fixtures.length} sessions`}`,
    ),
    '',
    paint('dim', `${pad('', NAME)} ${right('facts kept', 10)} ${right('tokens', 9)} ${right('of all', 7)}`),
  ];
  const rows = summaries.map((summary) => {
    const { arm, survival, tokens, tokensOfSource } = summary;
    const share = tokensOfSource === 0 ? null : tokens / tokensOfSource;
    const bar = survival === null ? '' : `  ${'█'.repeat(Math.round(survival * BAR))}`;
    const name = pad(TITLES[arm] ?? arm, NAME);
    const isOurs = arm === 'candidate' || !(ARMS as readonly string[]).includes(arm);
    return `${isOurs ? paint('bold', name) : name} ${right(percent(survival), 10)} ${right(whole(tokens), 9)} ${right(percent(share), 7)}${paint(isOurs ? 'green' : 'dim', bar)}`;
  });
  return [
    ...head,
    ...rows,
    ...groupTable('by kind of question', PROBE_TYPES, summaries, ({ byType }) => byType, paint),
    ...groupTable('by session', fixtures, summaries, ({ byFixture }) => byFixture, paint),
    ...passTable(summaries, paint),
    ...(isJudged ? gradeTable(summaries, paint) : []),
    ...missLines(runs, columns, paint),
    ...invalidLines(summaries, columns, paint),
    '',
  ].join('\n');
}

function inOrder(summaries: readonly ArmSummary[]): readonly ArmSummary[] {
  const order = ['full', 'candidate+recall', 'candidate', 'condense-only', 'truncation', 'none'];
  const place = (arm: string): number => (order.includes(arm) ? order.indexOf(arm) : 2.5);
  return summaries.toSorted((one, other) => place(one.arm) - place(other.arm));
}

function groupTable(
  title: string,
  groups: readonly string[],
  summaries: readonly ArmSummary[],
  of: (summary: ArmSummary) => Readonly<Record<string, number | null>>,
  paint: Paint,
): readonly string[] {
  const shown = groups.filter((group) => summaries.some((summary) => of(summary)[group] != null));
  if (shown.length < 2) return [];
  const compared = summaries.filter(({ arm }) => arm !== 'full' && arm !== 'none');
  const widths = compared.map(({ arm }) => Math.max(7, (TITLES[arm] ?? arm).length + 2));
  return [
    '',
    paint(
      'dim',
      `${pad(title, NAME)} ${compared.map(({ arm }, at) => right(TITLES[arm] ?? arm, widths[at] ?? 7)).join('')}`,
    ),
    ...shown.map(
      (group) =>
        `${pad(group, NAME)} ${compared.map((summary, at) => right(percent(of(summary)[group] ?? null), widths[at] ?? 7)).join('')}`,
    ),
  ];
}

function passTable(summaries: readonly ArmSummary[], paint: Paint): readonly string[] {
  const passes = [...new Set(summaries.flatMap(({ byPass }) => Object.keys(byPass)))]
    .filter((pass) => pass !== '0')
    .sort((a, b) => Number(a) - Number(b));
  return groupTable('after compaction', passes, summaries, ({ byPass }) => byPass, paint);
}

function gradeTable(summaries: readonly ArmSummary[], paint: Paint): readonly string[] {
  const titles = ['accuracy', 'context', 'artifact', 'complete', 'continuity', 'instruct', 'overall'];
  const line = ({ arm, grades, grade, errors }: ArmSummary): string =>
    `${pad(TITLES[arm] ?? arm, NAME)} ${[...DIMENSIONS.map((dimension) => grades[dimension] ?? null), grade].map((value) => right(value === null ? '–' : value.toFixed(2), 11)).join('')}${errors === 0 ? '' : `  ${errors} without a grade`}`;
  return [
    '',
    paint('dim', `${pad('grades, 0 to 5', NAME)} ${titles.map((title) => right(title, 11)).join('')}`),
    ...summaries.map(line),
  ];
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
    paint('dim', 'what precis does not keep'),
    ...lines,
    ...(more > 0 ? [`  and of ${more} more questions`] : []),
  ];
}

function invalidLines(summaries: readonly ArmSummary[], columns: number, paint: Paint): readonly string[] {
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
