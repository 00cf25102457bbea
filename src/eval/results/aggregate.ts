import { designEffect, detectable } from '../statistics/power.ts';
import type { ArmRole, RunResult } from '../types.ts';
import { type ArmSummary, summariseArm } from './arm-summary.ts';
import { type Miss, missesOf } from './misses.ts';
import { isJudged } from './scored-cells.ts';

/** All figures of a result, computed from its runs alone. */
export interface EvalSummary {
  /** Version of this shape. */
  readonly version: 1;
  /** Name of the results. */
  readonly label: string;
  /** Version of precis. */
  readonly precis: string;
  /** Names of the fixtures. */
  readonly fixtures: readonly string[];
  /** Runs of each fixture; the smallest number when they differ. */
  readonly runs: number;
  /** Compactions in a row; the largest number when they differ. */
  readonly passes: number;
  /** True when a judge graded answers. */
  readonly judged: boolean;
  /** Model that wrote summaries; null for code alone. */
  readonly compressorModel: string | null;
  /** Model that answered; null when none was asked. */
  readonly answerModel: string | null;
  /** Model that graded; null when none was asked. */
  readonly judgeModel: string | null;
  /** Figures by fixture, arm and pass. */
  readonly rows: readonly ArmSummary[];
  /** Figures by arm and pass, over all fixtures. */
  readonly totals: readonly ArmSummary[];
  /** Probes that the candidate missed. */
  readonly misses: readonly Miss[];
  /** Smallest difference of visible survival that a comparison with such a result can be expected to show. */
  readonly detectable: number;
  /** Probes of the candidate after its last pass. */
  readonly probes: number;
  /** Price of all calls, in US dollars; null when a price is unknown. */
  readonly usd: number | null;
  /** Time of all runs together, in milliseconds. */
  readonly ms: number;
}

/** Assumed share of probes that change between two candidates, and assumed correlation within a fixture. */
const DISCORDANT = 0.2;
const USUAL_CORRELATION = 0.1;

/** Computes all figures of a result: by fixture, arm and pass, and over all fixtures. */
export function aggregate(runs: readonly RunResult[]): EvalSummary {
  const fixtures = [...new Set(runs.map(({ fixture }) => fixture))].sort((x, y) =>
    x.localeCompare(y, 'en', { numeric: true }),
  );
  const totals = summarise(withEqualPasses(runs), null);
  const rows = fixtures.flatMap((fixture) =>
    summarise(
      runs.filter((run) => run.fixture === fixture),
      fixture,
    ),
  );
  const last = lastOf(totals, 'candidate');
  const probes = last?.probes ?? 0;
  const effect = designEffect(probes / Math.max(1, fixtures.length), USUAL_CORRELATION);
  const prices = runs.map(({ provenance }) => provenance.usd);
  return {
    version: 1,
    label: distinct(runs.map(({ label }) => label)) ?? '',
    precis: distinct(runs.map(({ provenance }) => provenance.precis)) ?? '',
    fixtures,
    runs: Math.min(...fixtures.map((fixture) => runs.filter((run) => run.fixture === fixture).length)),
    passes: Math.max(0, ...totals.map(({ pass }) => pass)),
    judged: isJudged(runs),
    compressorModel: distinct(runs.map(({ provenance }) => provenance.compressorModel)),
    answerModel: distinct(runs.map(({ provenance }) => provenance.answerModel)),
    judgeModel: distinct(runs.map(({ provenance }) => provenance.judgeModel)),
    rows,
    totals,
    misses: missesOf(runs),
    detectable: probes === 0 ? 1 : Math.min(1, detectable(Math.sqrt(DISCORDANT), probes / effect)),
    probes,
    usd: prices.includes(null) ? null : prices.reduce<number>((sum, usd) => sum + (usd ?? 0), 0),
    ms: runs.reduce((sum, { provenance }) => sum + provenance.ms, 0),
  };
}

/** Repeats the last pass of fixtures that have fewer passes than others, so that every total covers all fixtures. */
function withEqualPasses(runs: readonly RunResult[]): readonly RunResult[] {
  const most = Math.max(0, ...runs.flatMap(({ states }) => states.map(({ pass }) => pass)));
  return runs.map((run) => {
    const last = Math.max(0, ...run.states.map(({ pass }) => pass));
    if (last === 0 || last === most) return run;
    const later = Array.from({ length: most - last }, (_, index) => last + 1 + index);
    const carried = <T extends { readonly pass: number }>(list: readonly T[]): readonly T[] => [
      ...list,
      ...later.flatMap((pass) => list.filter((each) => each.pass === last).map((each) => ({ ...each, pass }))),
    ];
    return { ...run, states: carried(run.states), cells: carried(run.cells) };
  });
}

function distinct(values: readonly (string | null)[]): string | null {
  const named = [...new Set(values.filter((value) => value !== null))].sort();
  return named.length === 0 ? null : named.join(', ');
}

/** Returns the arm of a role after its last pass; among several candidates, the one named `candidate`. */
export function lastOf(rows: readonly ArmSummary[], role: ArmRole): ArmSummary | null {
  const own = rows.filter((row) => row.role === role);
  const named = own.filter(({ arm }) => arm === role);
  return (named.length > 0 ? named : own).toSorted((x, y) => x.pass - y.pass).at(-1) ?? null;
}

const ROLES: readonly ArmRole[] = ['ceiling', 'candidate', 'control', 'floor'];

function summarise(runs: readonly RunResult[], fixture: string | null): readonly ArmSummary[] {
  const keys = new Map<string, { readonly arm: string; readonly role: ArmRole; readonly pass: number }>();
  for (const { states } of runs)
    for (const { arm, role, pass } of states) keys.set(`${arm}\0${pass}`, { arm, role, pass });
  const sorted = [...keys.values()].sort(
    (x, y) => ROLES.indexOf(x.role) - ROLES.indexOf(y.role) || x.arm.localeCompare(y.arm, 'en') || x.pass - y.pass,
  );
  const rows = sorted.map((key) => summariseArm(runs, { ...key, fixture }));
  const ceiling = lastOf(rows, 'ceiling');
  const floor = lastOf(rows, 'floor');
  return rows.map((row) => ({ ...row, retention: retentionOf(row, ceiling, floor) }));
}

/** Places a score between no context (0) and the full one (1). Returns null without both arms, or when they do not differ. */
function retentionOf(row: ArmSummary, ceiling: ArmSummary | null, floor: ArmSummary | null): number | null {
  const of = (arm: ArmSummary | null): number | null =>
    arm === null ? null : ((arm.answers ?? arm.visible)?.mean ?? null);
  const [own, best, least] = [of(row), of(ceiling), of(floor)];
  if (own === null || best === null || least === null || best <= least) return null;
  return (own - least) / (best - least);
}
