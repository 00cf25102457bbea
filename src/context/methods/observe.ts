import type { ContextParts } from '../context-parts.ts';

/** Learns from the count of a provider. A request that was answered ends a row of overflows. */
export async function observe({ journal, sizes }: ContextParts, usage: unknown): Promise<void> {
  await journal.changeState({ ...sizes.afterUsage(usage), overflows: 0 });
}
