/** Works through a list, a few at a time, and gives the results in the order of the list. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const waiting = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results.set(next[0], await work(next[1]));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return items.map((_, index) => results.get(index) as Result);
}
