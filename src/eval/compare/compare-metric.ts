import type { Metric, MetricFamily } from '../results/metrics.ts';
import { type Cluster, percentileInterval, resampleClusters, resampleWithin } from '../statistics/bootstrap.ts';
import { holm } from '../statistics/holm.ts';
import { excludesZero, type Interval, isInside, mean } from '../statistics/interval.ts';
import { mcnemar } from '../statistics/mcnemar.ts';
import { newcombe, type PairedDifference } from '../statistics/newcombe.ts';
import { signFlip } from '../statistics/permutation.ts';
import { ALPHA, detectable, pairsNeeded, spreadOf } from '../statistics/power.ts';
import { seeded } from '../statistics/random.ts';
import { LEAST_PAIRS } from './comparable.ts';
import type { Pair } from './pairs.ts';

/** The verdict on one metric: B is better, worse, the same within the margin, or the data cannot tell. */
export type Verdict = 'improved' | 'regressed' | 'equivalent' | 'inconclusive';

/** Counts of pairs in which only one side is fully right in most of its runs, with tests of their difference. */
export interface PairedOutcomes {
  /** Pairs that only A got right. */
  readonly onlyA: number;
  /** Pairs that only B got right. */
  readonly onlyB: number;
  /** Two-sided p of McNemar's exact test. */
  readonly p: number;
  /** The mid-p value: it counts only half of the observed outcome. */
  readonly midP: number;
  /** Difference of the shares, with its 95 % interval. */
  readonly interval: PairedDifference;
}

/** Evidence that is missing to decide a comparison. */
export interface MissingEvidence {
  /** Additional paired probes. */
  readonly probes: number;
  /** Additional fixtures or compactions that the probes must come from. */
  readonly compactions: number;
}

/** The comparison of two results by one metric. */
export interface MetricComparison {
  /** E.g. `visible`, `dimension:accuracy`, `type:artifact`. */
  readonly id: string;
  /** Its name for people. */
  readonly title: string;
  /** Family of metrics that is corrected together for multiple testing. */
  readonly family: MetricFamily;
  /** Best value: 1 for shares, 5 for grades. */
  readonly scale: 1 | 5;
  /** Which direction is an improvement. */
  readonly better: 'higher' | 'lower';
  /** Paired probes. */
  readonly pairs: number;
  /** Fixtures they come from. */
  readonly fixtures: number;
  /** Mean of A over the pairs. */
  readonly a: number;
  /** Mean of B over the pairs. */
  readonly b: number;
  /** B − A. */
  readonly difference: number;
  /** 95 % interval of the difference. */
  readonly interval: Interval;
  /** 90 % interval of the difference. It lies within the margin when the two are equivalent. */
  readonly interval90: Interval;
  /** Largest difference treated as zero. */
  readonly margin: number;
  /** Two-sided p of the sign-flip test. */
  readonly p: number;
  /** The same p, corrected for multiple testing within the family. */
  readonly pAdjusted: number;
  /** The smallest p that the test could have reached. */
  readonly leastP: number;
  /** Units whose signs the test flips: whole fixtures, or probes when there are too few fixtures. */
  readonly flipped: 'fixture' | 'probe';
  /** The verdict from interval and test together. */
  readonly verdict: Verdict;
  /** Evidence that is missing; null when the metric is decided. */
  readonly needs: MissingEvidence | null;
  /** Smallest difference that these pairs can show, given their observed spread. */
  readonly detectable: number;
  /** Fixtures in which B is better. */
  readonly fixturesBetter: number;
  /** Fixtures in which B is worse. */
  readonly fixturesWorse: number;
  /** The verdict of a rule of thumb that calls 0.3 of 5 a difference. It is not a test. */
  readonly ruleOfThumb: 'better' | 'worse' | 'none';
  /** The difference as a multiple of the noise floor; null when none was measured. */
  readonly timesFloor: number | null;
  /** Pairs that are right on one side only; null for grades. */
  readonly outcomes: PairedOutcomes | null;
}

export interface MetricSettings {
  readonly seed: number;
  readonly resamples: number;
  readonly margin: number;
  readonly gradeMargin: number;
  readonly floors: Readonly<Record<string, number>>;
}

/** With fewer fixtures than this, no sign-flip test can reach p < 0.05. */
const LEAST_FIXTURES = 6;
const RULE_OF_THUMB = 0.3 / 5;

/** Computes the figures of one metric, without its verdict. Returns null when no pair has a score. */
export function compareMetric(
  metric: Metric,
  pairs: readonly Pair[],
  settings: MetricSettings,
): MetricComparison | null {
  if (pairs.length === 0) return null;
  const { id, title, family, scale, better } = metric;
  const fixtures = groupBy(pairs, ({ fixture }) => fixture);
  const differences = pairs.map(({ a, b }) => b - a);
  const difference = mean(differences);
  const options = { resamples: settings.resamples, random: seeded(settings.seed) };
  const clusters = fixtures.map(clusterOf);
  const probes = clusters.reduce((sum, cluster) => sum + cluster.length, 0);
  const isWide = fixtures.length >= LEAST_FIXTURES;
  const resamples = isWide
    ? resampleClusters(clusters, options)
    : resampleWithin(probes < 2 * clusters.length ? pooled(clusters) : clusters, options);
  const within = (confidence: number): Interval =>
    probes < 2 ? { low: -scale, high: scale } : around(difference, percentileInterval(resamples, confidence));
  // The passes of a fixture depend on each other, so they are flipped together.
  const units = isWide ? fixtures : groupBy(pairs, ({ fixture, probe }) => `${fixture}\0${probe}`);
  const { p, least } = signFlip(units.map(sumOf), seeded(settings.seed));
  const spread = spreadOf(fixtures.map((group) => group.map(({ a, b }) => b - a)));
  const sign = better === 'higher' ? 1 : -1;
  const byFixture = fixtures.map((group) => sign * sumOf(group));
  const floor = settings.floors[id];
  const margin = scale === 5 ? settings.gradeMargin : settings.margin;
  const seen = (sign * difference) / scale;
  return {
    id,
    title,
    family,
    scale,
    better,
    pairs: pairs.length,
    fixtures: fixtures.length,
    a: mean(pairs.map(({ a }) => a)),
    b: mean(pairs.map(({ b }) => b)),
    difference,
    interval: within(0.95),
    interval90: within(0.9),
    margin,
    p,
    pAdjusted: p,
    leastP: least,
    flipped: isWide ? 'fixture' : 'probe',
    verdict: 'inconclusive',
    needs: needsOf(difference, spread, { pairs: pairs.length, fixtures: fixtures.length, margin }),
    detectable: detectable(spread.deviation, spread.effective),
    fixturesBetter: byFixture.filter((sum) => sum > 1e-9).length,
    fixturesWorse: byFixture.filter((sum) => sum < -1e-9).length,
    ruleOfThumb: Math.abs(seen) < RULE_OF_THUMB - 1e-9 ? 'none' : seen > 0 ? 'better' : 'worse',
    timesFloor: floor === undefined || floor <= 0 ? null : Math.abs(difference) / floor,
    outcomes: scale === 1 ? outcomesOf(pairs) : null,
  };
}

/** Gives every metric its verdict, corrected for the number of metrics in its family. */
export function withVerdicts(
  metrics: readonly MetricComparison[],
  { isCapped }: { readonly isCapped: boolean },
): readonly MetricComparison[] {
  const corrected = new Map<string, number>();
  for (const family of new Set(metrics.map((metric) => metric.family))) {
    const own = metrics.filter((metric) => metric.family === family);
    const adjusted = holm(
      own.map((metric) => metric.p),
      own.map((metric) => metric.leastP),
    );
    for (const [index, p] of adjusted.entries()) corrected.set(own[index]?.id ?? '', p);
  }
  return metrics.map((metric) => {
    const pAdjusted = corrected.get(metric.id) ?? metric.p;
    const verdict = isCapped ? 'inconclusive' : verdictOf({ ...metric, pAdjusted });
    return { ...metric, pAdjusted, verdict, needs: verdict === 'inconclusive' ? metric.needs : null };
  });
}

type Judgeable = Pick<
  MetricComparison,
  'pairs' | 'interval' | 'interval90' | 'margin' | 'pAdjusted' | 'better' | 'difference'
>;

/** Decides a metric. Interval and test must agree on a difference; equivalence also needs enough pairs to have shown one. */
export function verdictOf(metric: Judgeable): Verdict {
  const { pairs, interval, interval90, margin, pAdjusted, better, difference } = metric;
  if (pairs >= LEAST_PAIRS && isInside(interval90, margin)) return 'equivalent';
  if (!excludesZero(interval) || pAdjusted >= ALPHA) return 'inconclusive';
  return difference > 0 === (better === 'higher') ? 'improved' : 'regressed';
}

function needsOf(
  difference: number,
  { deviation, effective }: { readonly deviation: number; readonly effective: number },
  { pairs, fixtures, margin }: { readonly pairs: number; readonly fixtures: number; readonly margin: number },
): MissingEvidence {
  const independent = pairsNeeded(deviation, Math.max(Math.abs(difference), margin));
  const needed = Math.max(LEAST_PAIRS, independent * (pairs / Math.max(1, effective)));
  const probes = Math.max(1, Math.ceil(needed - pairs));
  const perFixture = pairs / fixtures;
  return { probes, compactions: Math.max(1, LEAST_FIXTURES - fixtures, Math.ceil(probes / perFixture)) };
}

/** Keeps all passes of a probe together, and all runs of a pass. */
function clusterOf(pairs: readonly Pair[]): Cluster {
  const runs = Math.min(...pairs.map(({ runsA, runsB }) => Math.min(runsA.length, runsB.length)));
  return groupBy(pairs, ({ probe }) => probe).map((passes) => ({
    count: passes.length,
    sums: Array.from({ length: runs }, (_, run) =>
      passes.reduce(
        (sum, { a, b, runsA, runsB }) => sum + (b - a) + offset(runsB, run, runs) - offset(runsA, run, runs),
        0,
      ),
    ),
  }));
}

/** Pools all probes into one cluster, because fixtures with a single probe have no spread of their own. */
function pooled(clusters: readonly Cluster[]): readonly Cluster[] {
  const runs = Math.min(...clusters.flat().map(({ sums }) => sums.length));
  return [clusters.flat().map(({ count, sums }) => ({ count, sums: sums.slice(0, runs) }))];
}

/** Returns how far one run lies from the mean of the resampled runs. */
function offset(values: readonly number[], run: number, runs: number): number {
  return (values[run] ?? 0) - mean(values.slice(0, runs));
}

function outcomesOf(pairs: readonly Pair[]): PairedOutcomes {
  const counts = { both: 0, onlyA: 0, onlyB: 0, neither: 0 };
  for (const { runsA, runsB } of pairs) {
    const a = majority(runsA);
    const b = majority(runsB);
    if (a === null || b === null) continue;
    counts[a ? (b ? 'both' : 'onlyA') : b ? 'onlyB' : 'neither']++;
  }
  const { onlyA, onlyB } = counts;
  return { onlyA, onlyB, ...mcnemar(onlyA, onlyB), interval: newcombe(counts) };
}

/** Says whether most runs are fully right; null for a tie. */
function majority(values: readonly number[]): boolean | null {
  const right = values.filter((value) => value > 1 - 1e-9).length;
  return 2 * right === values.length ? null : 2 * right > values.length;
}

/** Widens an interval to hold its estimate, which resampling may miss by chance. */
function around(estimate: number, { low, high }: Interval): Interval {
  return { low: Math.min(low, estimate), high: Math.max(high, estimate) };
}

function sumOf(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, { a, b }) => sum + (b - a), 0);
}

function groupBy(pairs: readonly Pair[], keyOf: (pair: Pair) => string): readonly (readonly Pair[])[] {
  return [...Map.groupBy(pairs, keyOf).values()];
}
