/** A stretch of a request that is cached as a whole: one message, or system prompt and tools together. */
export interface Block {
  /** Equal for equal bytes. */
  readonly id: string;
  /** Size in tokens. */
  readonly tokens: number;
  /** Content blocks on the wire, which providers count in a look-back. @default 1 */
  readonly parts?: number;
}

/** System prompt and tools, which no policy changes; nothing when they have no size. */
export function fixedBlocks(tokens: number): readonly Block[] {
  return tokens > 0 ? [{ id: 'fixed', tokens }] : [];
}

export function tokensOf(blocks: readonly Block[]): number {
  let sum = 0;
  for (const block of blocks) sum += block.tokens;
  return sum;
}

/** Index of the first sent block that differs from the next request; the number of sent blocks when none does. */
export function firstChange(sent: readonly Block[], next: readonly Block[]): number {
  const index = sent.findIndex((block, at) => block.id !== next[at]?.id);
  return index < 0 ? sent.length : index;
}
