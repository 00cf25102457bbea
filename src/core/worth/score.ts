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
  return (item) => {
    for (let at = 0; at < used.length; at++) row[at] = (used[at] as Feature<Item>).of(item);
    let score = 0;
    for (const tree of learned.trees) score += answer(tree, row);
    return growth(score);
  };
}

function answer(tree: Tree, row: Float64Array): number {
  let node = tree;
  while (typeof node !== 'number') node = (row[node[0]] ?? 0) <= node[1] ? node[2] : node[3];
  return node;
}
