import type { ContextParts } from '../context-parts.ts';

/** Learns from a provider's count. An answered request resets the count of overflows. */
export async function observe({ journal, sizes }: ContextParts, usage: unknown): Promise<void> {
  await journal.changeState({ ...sizes.afterUsage(usage), overflows: 0 });
}
