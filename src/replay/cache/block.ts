/** A stretch of a request that is cached as a whole: one message, or system prompt and tools together. */
export interface Block {
  /** The same for equal bytes. */
  readonly id: string;
  /** Size in tokens. */
  readonly tokens: number;
  /** Content blocks on the wire, which a provider's look-back counts. @default 1 */
  readonly parts?: number;
}

/** Returns the block of system prompt and tools, which no policy changes; none when they have no size. */
export function fixedBlocks(tokens: number): readonly Block[] {
  return tokens > 0 ? [{ id: 'fixed', tokens }] : [];
}

export function tokensOf(blocks: readonly Block[]): number {
  let sum = 0;
  for (const block of blocks) sum += block.tokens;
  return sum;
}

/** Returns the index of the first sent block that differs from the next request, or the number of sent blocks when none does. */
export function firstChange(sent: readonly Block[], next: readonly Block[]): number {
  const index = sent.findIndex((block, at) => block.id !== next[at]?.id);
  return index < 0 ? sent.length : index;
}
