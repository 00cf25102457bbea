import { answerScore } from '../results/metrics.ts';
import { isJudged, type RunCell } from '../results/scored-cells.ts';
import { meanOrNull } from '../statistics/interval.ts';
import type { ArmRole, Provenance, RunResult } from '../types.ts';

/** With fewer paired probes than this there is no verdict. */
export const LEAST_PAIRS = 20;
const LEAST_CEILING = 0.9;
const MOST_FLOOR = 0.1;
const MOST_ERRORS = 0.05;
const MOST_INVALID = 0.1;

/** Lists why two results measure different things; empty when they can be compared. */
export function mismatches(a: readonly RunResult[], b: readonly RunResult[]): readonly string[] {
  const found: string[] = [];
  const fixtures = [...new Set(a.map(({ fixture }) => fixture))].sort();
  for (const fixture of fixtures) {
    const own = a.filter((run) => run.fixture === fixture);
    const other = b.filter((run) => run.fixture === fixture);
    if (other.length === 0) continue;
    const differ = (field: 'fixtureDigest' | 'bankDigest'): boolean =>
      new Set([...own, ...other].map(({ provenance }) => provenance[field])).size > 1;
    if (differ('fixtureDigest')) found.push(`the fixture ${fixture} differs`);
    if (differ('bankDigest')) found.push(`the probe bank of ${fixture} differs`);
  }
  if (isJudged(a) && isJudged(b))
    for (const [field, name] of JUDGING) {
      const values = [...new Set([...a, ...b].map(({ provenance }) => provenance[field] ?? 'none'))];
      if (values.length > 1) found.push(`the ${name} differs: ${values.join(', ')}`);
    }
  return found;
}

const JUDGING: readonly (readonly [keyof Provenance & ('answerModel' | 'judgeModel' | 'rubricDigest'), string])[] = [
  ['answerModel', 'model that answers'],
  ['judgeModel', 'judge'],
  ['rubricDigest', 'rubric'],
];

/** Lists differences that are allowed but that a reader of the figures should know. */
export function remarks(a: readonly RunResult[], b: readonly RunResult[]): readonly string[] {
  const found: string[] = [];
  for (const [field, name] of NOTED) {
    const [left, right] = [a, b].map((runs) =>
      [...new Set(runs.map(({ provenance }) => String(provenance[field] ?? 'none')))].sort().join(', '),
    );
    if (left !== right) found.push(`${name}: ${left} → ${right}`);
  }
  if (isJudged(a) !== isJudged(b)) found.push('only one of the two was judged, so answers and grades are not compared');
  return found;
}

const NOTED: readonly (readonly [keyof Provenance, string])[] = [
  ['precis', 'version of precis'],
  ['compressorModel', 'model that writes summaries'],
  ['target', 'target'],
  ['passes', 'passes'],
];

export interface Evidence {
  readonly runs: readonly RunResult[];
  readonly arm: string;
  readonly cells: readonly RunCell[];
}

/** Lists why only `inconclusive` would be a sound verdict; empty when there is enough evidence. */
export function weaknesses(a: Evidence, b: Evidence, pairs: number): readonly string[] {
  const found: string[] = [];
  if (pairs < LEAST_PAIRS) found.push(`${pairs} paired probes; a verdict needs ${LEAST_PAIRS}`);
  for (const [name, side] of [
    ['A', a],
    ['B', b],
  ] as const)
    found.push(...ownWeaknesses(side).map((text) => `${name}: ${text}`));
  const uneven = Math.abs(errorShare(a) - errorShare(b));
  if (uneven > MOST_ERRORS) found.push(`errors are uneven: ${percent(errorShare(a))} and ${percent(errorShare(b))}`);
  return found;
}

function ownWeaknesses(side: Evidence): readonly string[] {
  const found: string[] = [];
  const { runs, arm } = side;
  const perFixture = runs.map(({ fixture }) => runs.filter((run) => run.fixture === fixture).length);
  if (runs.some(({ provenance }) => provenance.compressorModel !== null) && Math.min(...perFixture) < 2)
    found.push('one compaction by a model says nothing about the next; run it twice or more');
  const states = runs.flatMap((run) => run.states.filter((state) => state.arm === arm));
  const invalid = states.filter((state) => state.invalid !== null).length / Math.max(1, states.length);
  if (invalid > MOST_INVALID) found.push(`${percent(invalid)} of the states cannot be scored`);
  if (errorShare(side) > MOST_ERRORS) found.push(`${percent(errorShare(side))} of the answers are errors`);
  const ceiling = controlScore(runs, 'ceiling');
  if (ceiling !== null && ceiling < LEAST_CEILING)
    found.push(`with the full context only ${percent(ceiling)} is found, so probes are unsound`);
  const floor = controlScore(runs, 'floor');
  if (floor !== null && floor > MOST_FLOOR)
    found.push(`without any context ${percent(floor)} is found, so probes can be guessed`);
  return found;
}

function errorShare({ cells }: Evidence): number {
  const judged = cells.filter(({ cell }) => cell.judged !== null);
  return judged.length === 0 ? 0 : judged.filter(({ cell }) => cell.judged?.outcome === 'error').length / judged.length;
}

/** Returns the mean score of the arms with a role: of their answers, or of visible facts when none were graded. Null without such an arm. */
export function controlScore(runs: readonly RunResult[], role: ArmRole): number | null {
  const judged = isJudged(runs);
  const values = runs.flatMap(({ states, cells }) => {
    const arms = new Set(states.filter((state) => state.role === role && state.invalid === null).map(({ arm }) => arm));
    return cells
      .filter((cell) => arms.has(cell.arm) && cell.type !== 'abstention')
      .map((cell) => (judged ? answerScore(cell) : cell.visible))
      .filter((value) => value !== null);
  });
  return meanOrNull(values);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
