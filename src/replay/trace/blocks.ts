import { contentHash } from '../../core/conversation/hash.ts';
import { type Message, toolResultsOf } from '../../core/conversation/message.ts';
import { fingerprintOf } from '../../core/conversation/ref.ts';
import type { Block, Trace, ViewItem } from '../types.ts';

const known = new WeakMap<Trace, readonly ViewItem[]>();

/** The messages of a trace as a view would hold them. Made once for each trace. */
export function itemsOf(trace: Trace): readonly ViewItem[] {
  const made =
    known.get(trace) ??
    trace.conversation.messages.map((message, index) => itemOf(message, trace.tokens[index] ?? 0, index));
  known.set(trace, made);
  return made;
}

/** A message as part of a view. */
export function itemOf(message: Message, tokens: number, index: number | null = null): ViewItem {
  return {
    index,
    id: contentHash(fingerprintOf(message)),
    tokens,
    role: message.role,
    isOutput: toolResultsOf(message).length > 0,
    message,
    parts: Math.max(1, message.parts.length),
  };
}

/** System prompt and tools: what no policy changes. */
export function fixedBlock(tokens: number): readonly Block[] {
  return tokens > 0 ? [{ id: 'fixed', tokens }] : [];
}

export function tokensOf(blocks: readonly Block[]): number {
  let sum = 0;
  for (const block of blocks) sum += block.tokens;
  return sum;
}

/** Index of the first message that differs in bytes from what was sent; its length when none does. */
export function firstChange(sent: readonly Block[], next: readonly Block[]): number {
  const index = sent.findIndex((block, at) => block.id !== next[at]?.id);
  return index < 0 ? sent.length : index;
}
