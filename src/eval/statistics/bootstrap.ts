import { type Interval, quantileOf } from './interval.ts';
import { normalCdf } from './normal.ts';
import { below, type Random } from './random.ts';
import { tQuantile } from './student.ts';

/** The differences of one probe. */
export interface ResampledProbe {
  /** Number of passes after which it was asked. */
  readonly count: number;
  /** For each run, the sum over the passes. */
  readonly sums: readonly number[];
}

/** Probes that vary together, because they ask about the same compaction. */
export type Cluster = readonly ResampledProbe[];

/** The means of many resamples. */
export interface Resamples {
  /** Means of the resamples, in order. */
  readonly means: Float64Array;
  /** Number of independent units that were resampled. */
  readonly independent: number;
  /** Degrees of freedom that these units leave. */
  readonly degrees: number;
}

/** Options of the resampling functions. */
export interface ResampleOptions {
  /** Resamples to draw; 10,000 are usual. */
  readonly resamples: number;
  /** The source of randomness, such as `seeded(1)`. */
  readonly random: Random;
}

/** Cluster bootstrap: resamples fixtures, and probes within each fixture. For statements about fixtures like these. */
export function resampleClusters(clusters: readonly Cluster[], { resamples, random }: ResampleOptions): Resamples {
  const flat = clusters.map(flattened);
  const means = new Float64Array(resamples);
  for (let draw = 0; draw < resamples; draw++) {
    let sum = 0;
    let count = 0;
    for (let turn = 0; turn < flat.length; turn++) {
      const { sums, counts } = flat[below(random, flat.length)] as Flat;
      for (let probe = 0; probe < sums.length; probe++) {
        const chosen = below(random, sums.length);
        sum += sums[chosen] ?? 0;
        count += counts[chosen] ?? 0;
      }
    }
    means[draw] = count === 0 ? 0 : sum / count;
  }
  return { means: means.sort(), independent: flat.length, degrees: flat.length - 1 };
}

/** Resamples runs and probes within each fixture, and keeps the fixtures. For statements about these fixtures alone. */
export function resampleWithin(clusters: readonly Cluster[], { resamples, random }: ResampleOptions): Resamples {
  const varies = clusters.some((cluster) => cluster.some(({ sums }) => sums.some((sum) => sum !== sums[0])));
  const means = new Float64Array(resamples);
  for (let draw = 0; draw < resamples; draw++) {
    let sum = 0;
    let count = 0;
    for (const cluster of clusters) {
      const runs = drawRuns(cluster[0]?.sums.length ?? 0, random);
      for (let probe = 0; probe < cluster.length; probe++) {
        const item = cluster[below(random, cluster.length)] as ResampledProbe;
        let own = 0;
        for (const run of runs) own += item.sums[run] ?? 0;
        sum += own / runs.length;
        count += item.count;
      }
    }
    means[draw] = count === 0 ? 0 : sum / count;
  }
  means.sort();
  const runs = Math.min(...clusters.map((cluster) => cluster[0]?.sums.length ?? 1));
  const probes = clusters.reduce((total, cluster) => total + cluster.length, 0);
  return varies && runs > 1
    ? { means, independent: runs, degrees: clusters.length * (runs - 1) }
    : { means, independent: probes, degrees: probes - clusters.length };
}

/**
 * Returns the percentile interval, widened for few independent units (Hesterberg's expanded percentile interval). Resampling n values
 * understates their spread by √((n−1)/n), and the spread is itself an estimate, which Student's t allows for.
 */
export function percentileInterval({ means, independent, degrees }: Resamples, confidence: number): Interval {
  if (degrees < 1) return { low: means[0] ?? 0, high: means.at(-1) ?? 0 };
  const t = tQuantile(0.5 + confidence / 2, degrees);
  const tail = normalCdf(-t * Math.sqrt(independent / (independent - 1)));
  return { low: quantileOf(means, tail), high: quantileOf(means, 1 - tail) };
}

interface Flat {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

function flattened(cluster: Cluster): Flat {
  return {
    sums: Float64Array.from(cluster, ({ sums }) => sums.reduce((total, sum) => total + sum, 0) / sums.length),
    counts: Float64Array.from(cluster, ({ count }) => count),
  };
}

function drawRuns(count: number, random: Random): readonly number[] {
  return Array.from({ length: count }, () => below(random, count));
}
