import type { Feature } from './feature.ts';
import { growth } from './numbers.ts';

/** A decision: below or at the cut go on with the first branch, above it with the second. A number ends it. */
export type Tree = number | readonly [feature: number, cut: number, below: Tree, above: Tree];

/** What was learned about passages or terms: trees whose answers are added up. */
export interface Learned {
  /** Names of the features, in the order that the trees number them. */
  readonly features: readonly string[];
  readonly trees: readonly Tree[];
}

/** Gives each item its learned worth; 1 is that of an average one. */
export function worthOf<Item>(learned: Learned, features: readonly Feature<Item>[]): (item: Item) => number {
  const known = new Map(features.map((feature) => [feature.name, feature]));
  const used = learned.features.map((name) => {
    const feature = known.get(name);
    if (feature === undefined) throw new Error(`The learned weights name a feature that does not exist: ${name}`);
    return feature;
  });
  const row = new Float64Array(used.length);
  const forest = planted(learned.trees);
  return (item) => {
    for (let at = 0; at < used.length; at++) row[at] = (used[at] as Feature<Item>).of(item);
    return growth(answersOf(forest, row));
  };
}

/** All trees in flat arrays, which are several times as fast as nested ones. The branch above a cut stands right behind the one below it. */
interface Forest {
  readonly roots: Int32Array;
  /** Feature of each node; -1 where it ends. */
  readonly features: Int32Array;
  /** The cut, or the answer where it ends. */
  readonly values: Float64Array;
  readonly below: Int32Array;
}

function planted(trees: readonly Tree[]): Forest {
  const features: number[] = [];
  const values: number[] = [];
  const below: number[] = [];
  const roots = trees.map((tree) => {
    const root = features.length;
    const open: Tree[] = [tree];
    // Breadth first, so that both branches of a node get places next to each other.
    for (let at = 0; at < open.length; at++) {
      const node = open[at] as Tree;
      const ends = typeof node === 'number';
      features.push(ends ? -1 : node[0]);
      values.push(ends ? node : node[1]);
      below.push(root + open.length);
      if (!ends) open.push(node[2], node[3]);
    }
    return root;
  });
  return {
    roots: Int32Array.from(roots),
    features: Int32Array.from(features),
    values: Float64Array.from(values),
    below: Int32Array.from(below),
  };
}

function answersOf({ roots, features, values, below }: Forest, row: Float64Array): number {
  let score = 0;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number;
    for (let feature = features[node] as number; feature >= 0; feature = features[node] as number)
      node = (below[node] as number) + ((row[feature] as number) <= (values[node] as number) ? 0 : 1);
    score += values[node] as number;
  }
  return score;
}
