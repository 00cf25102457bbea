import type { ContextParts } from '../context-parts.ts';

/** Learns from a provider's count, which belongs to a request that was answered. */
export async function observe({ journal, models, sizes }: ContextParts, usage: unknown): Promise<void> {
  const counts = sizes.afterUsage(usage);
  // A count that cannot belong to the request is not taken.
  const size = counts.counted?.tokens;
  const accepted = size === undefined ? null : ({ size, countedBy: 'provider' } as const);
  await journal.changeState({ ...counts, ...models.afterAnswer(accepted) });
}
