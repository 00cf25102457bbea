/**
 * Holm's correction: p values of one family, each raised so that one false alarm in the family stays as rare as asked.
 *
 * Tests that count cases cannot reach every p. Given the `least` p that each can reach, a test that could never have been as
 * extreme as this one does not count against it (Tarone; Westfall and Wolfinger).
 */
export function holm(values: readonly number[], least: readonly number[] = values.map(() => 0)): readonly number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const adjusted = values.map(() => 1);
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    const p = values[index] ?? 1;
    const rivals = order.slice(rank).filter((other) => other === index || (least[other] ?? 0) <= p).length;
    highest = Math.max(highest, Math.min(1, rivals * p));
    adjusted[index] = highest;
  }
  return adjusted;
}
