import { growth } from '../../src/core/worth/numbers.ts';
import type { Tree } from '../../src/core/worth/score.ts';

/** Rows to learn from, by column. */
export interface Rows {
  readonly columns: readonly Float64Array[];
  /** What was counted, and the expected count of an average row of the same session. */
  readonly counted: Float64Array;
  readonly expected: Float64Array;
  readonly weights: Float64Array;
}

export interface BoostOptions {
  readonly trees: number;
  readonly depth: number;
  /** Share of each tree's answer that is added. */
  readonly rate: number;
  /** Pulls answers to 0 where little was counted. */
  readonly calm: number;
  /** The least expected count on either side of a cut. */
  readonly least: number;
  /** Every tree sees this share of the columns. */
  readonly columns: number;
}

const MOST_CUTS = 47;

/**
 * Gradient boosting of small trees on counts: 2 to the power of the sum of answers, times the expected count, follows what was counted (Poisson).
 * Everything is fixed: no clock, no chance but a seed of its own, no function that engines may round differently.
 */
export function boost(rows: Rows, options: BoostOptions): readonly Tree[] {
  const cuts = rows.columns.map(cutsOf);
  const bins = rows.columns.map((column, at) => Uint8Array.from(column, (value) => binOf(cuts[at] ?? [], value)));
  const size = rows.counted.length;
  const scores = new Float64Array(size);
  const [rise, slope] = [new Float64Array(size), new Float64Array(size)];
  const random = seeded(1);
  const trees: Tree[] = [];
  for (let round = 0; round < options.trees; round++) {
    for (let at = 0; at < size; at++) {
      const weight = rows.weights[at] ?? 0;
      const predicted = (rows.expected[at] ?? 0) * growth(scores[at] ?? 0);
      rise[at] = weight * ((rows.counted[at] ?? 0) - predicted);
      slope[at] = weight * predicted;
    }
    const seen = cuts.flatMap((own, column) => (own.length > 0 && random() < options.columns ? [column] : []));
    const grown = grow({ bins, cuts, rise, slope, seen, options });
    for (let at = 0; at < size; at++) scores[at] = (scores[at] ?? 0) + (grown.answers[grown.leaves[at] ?? 0] ?? 0);
    trees.push(grown.tree);
  }
  return trees;
}

interface GrowInput {
  readonly bins: readonly Uint8Array[];
  readonly cuts: readonly (readonly number[])[];
  readonly rise: Float64Array;
  readonly slope: Float64Array;
  /** Columns that this tree may cut. */
  readonly seen: readonly number[];
  readonly options: BoostOptions;
}

interface Grown {
  readonly tree: Tree;
  /** The node in which each row ended, and the answer of each node. */
  readonly leaves: Int32Array;
  readonly answers: readonly number[];
}

interface Split {
  readonly column: number;
  readonly bin: number;
  readonly below: number;
  readonly above: number;
}

/** Grows one tree, level by level. */
function grow(input: GrowInput): Grown {
  const { bins, rise, slope, options } = input;
  const leaves = new Int32Array(rise.length);
  const splits: (Split | null)[] = [null];
  let level = [0];
  for (let depth = 0; depth < options.depth && level.length > 0; depth++) {
    const found = bestSplits(input, leaves, level);
    const next: number[] = [];
    for (const [at, node] of level.entries()) {
      const best = found[at];
      if (best === undefined || best === null) continue;
      const below = splits.push(null) - 1;
      const above = splits.push(null) - 1;
      splits[node] = { ...best, below, above };
      next.push(below, above);
    }
    for (let row = 0; row < leaves.length; row++) {
      const split = splits[leaves[row] ?? 0];
      if (split === null || split === undefined) continue;
      leaves[row] = (bins[split.column]?.[row] ?? 0) <= split.bin ? split.below : split.above;
    }
    level = next;
  }
  const [rises, slopes] = [new Float64Array(splits.length), new Float64Array(splits.length)];
  for (let row = 0; row < leaves.length; row++) {
    const leaf = leaves[row] ?? 0;
    rises[leaf] = (rises[leaf] ?? 0) + (rise[row] ?? 0);
    slopes[leaf] = (slopes[leaf] ?? 0) + (slope[row] ?? 0);
  }
  const answers = splits.map((_, at) =>
    rounded((options.rate * (rises[at] ?? 0)) / (LN2 * ((slopes[at] ?? 0) + options.calm))),
  );
  return { tree: treeOf(input.cuts, splits, answers), leaves, answers };
}

const { LN2 } = Math;

/** Four digits say enough, and keep the file small. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function treeOf(
  cuts: readonly (readonly number[])[],
  splits: readonly (Split | null)[],
  answers: readonly number[],
): Tree {
  const build = (at: number): Tree => {
    const split = splits[at];
    if (split === null || split === undefined) return answers[at] ?? 0;
    return [split.column, cuts[split.column]?.[split.bin] ?? 0, build(split.below), build(split.above)];
  };
  return build(0);
}

/** The best split of each node of a level; null where none gains. */
function bestSplits(
  { bins, cuts, rise, slope, seen, options }: GrowInput,
  leaves: Int32Array,
  level: readonly number[],
): readonly (Pick<Split, 'column' | 'bin'> | null)[] {
  const { calm, least } = options;
  const slot = new Map(level.map((node, at) => [node, at]));
  const slots = Int32Array.from(leaves, (leaf) => slot.get(leaf) ?? -1);
  const best = level.map(() => ({ gain: 1e-9, column: -1, bin: 0 }));
  for (const column of seen) {
    const width = (cuts[column]?.length ?? 0) + 1;
    const [rises, slopes] = [new Float64Array(level.length * width), new Float64Array(level.length * width)];
    const own = bins[column] as Uint8Array;
    for (let row = 0; row < slots.length; row++) {
      const at = slots[row] as number;
      if (at < 0) continue;
      const bin = at * width + (own[row] as number);
      rises[bin] = (rises[bin] as number) + (rise[row] as number);
      slopes[bin] = (slopes[bin] as number) + (slope[row] as number);
    }
    for (let at = 0; at < level.length; at++) {
      let [allRise, allSlope] = [0, 0];
      for (let bin = 0; bin < width; bin++) {
        allRise += rises[at * width + bin] as number;
        allSlope += slopes[at * width + bin] as number;
      }
      const whole = (allRise * allRise) / (allSlope + calm);
      let [below, slopeBelow] = [0, 0];
      for (let bin = 0; bin + 1 < width; bin++) {
        below += rises[at * width + bin] as number;
        slopeBelow += slopes[at * width + bin] as number;
        const slopeAbove = allSlope - slopeBelow;
        if (slopeBelow < least || slopeAbove < least) continue;
        const above = allRise - below;
        const gain = (below * below) / (slopeBelow + calm) + (above * above) / (slopeAbove + calm) - whole;
        if (gain > (best[at]?.gain ?? 0)) best[at] = { gain, column, bin };
      }
    }
  }
  return best.map(({ column, bin }) => (column < 0 ? null : { column, bin }));
}

/** Values at which a column may be cut: between all its values when there are few, else at quantiles. */
function cutsOf(column: Float64Array): readonly number[] {
  const sorted = column.toSorted();
  const different = sorted.filter((value, at) => at === 0 || value !== sorted[at - 1]);
  if (different.length <= MOST_CUTS + 1)
    return [...different.subarray(1)].map((value, at) => short((value + (different[at] ?? 0)) / 2));
  const cuts: number[] = [];
  for (let at = 1; at <= MOST_CUTS; at++) {
    const value = short(sorted[Math.floor((at * sorted.length) / (MOST_CUTS + 1))] ?? 0);
    if (value > (cuts.at(-1) ?? Number.NEGATIVE_INFINITY)) cuts.push(value);
  }
  return cuts;
}

function short(value: number): number {
  return Number(value.toPrecision(6));
}

function binOf(cuts: readonly number[], value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > (cuts[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A sequence that looks like chance and is the same every time, between 0 and 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
