import type { Compaction } from '../core/compact.ts';

/** More rounds than it ever takes: each answer is larger than the one before, by less each time. */
const MOST_ROUNDS = 12;

/**
 * The smallest target that works, found by trying. What must stay depends on the target itself (a larger target has a longer tail), so the
 * figure of a refusal need not hold; null when none is found.
 */
export async function smallestTarget(
  refused: Compaction,
  tryTarget: (target: number) => Promise<Compaction>,
): Promise<number | null> {
  let target = refused.smallestTarget;
  for (let round = 0; round < MOST_ROUNDS && target !== null; round++) {
    const tried = await tryTarget(target);
    if (tried.outcome !== 'refused') return target;
    if (tried.smallestTarget === null || tried.smallestTarget <= target) return null;
    target = tried.smallestTarget;
  }
  return null;
}
