/** A number that says something about a passage or a term, and that a weight can be learned for. */
export interface Feature<Item> {
  /** Its name in the learned weights. */
  readonly name: string;
  /** What it says, for people. */
  readonly says: string;
  readonly of: (item: Item) => number;
}

/** One feature for each of several values: 1 where the item has it. */
export function oneOf<Item, Value extends string>(
  name: string,
  values: readonly Value[],
  of: (item: Item) => Value | null,
): readonly Feature<Item>[] {
  return values.map((value) => ({
    name: `${name}:${value}`,
    says: `${name} is ${value}`,
    of: (item) => (of(item) === value ? 1 : 0),
  }));
}
