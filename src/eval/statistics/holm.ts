/** Holm's correction: p values of one family, each raised so that one false alarm in the family stays as rare as asked. */
export function holm(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const adjusted = values.map(() => 1);
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (values.length - rank) * (values[index] ?? 1)));
    adjusted[index] = highest;
  }
  return adjusted;
}
