import type { Bill } from '../cache/bill.ts';
import type { Block } from '../cache/block.ts';
import type { Cache } from '../cache/cache.ts';
import type { AuxiliaryCall } from '../policies/policy.ts';

interface Situation {
  /** The request before which the call is made. */
  readonly blocks: readonly Block[];
  readonly tokens: number;
  readonly at: number;
  /** Distinguishes this call from all others. */
  readonly family: string;
}

/**
 * Bills a model call for a compaction. An aligned call is the conversation followed by an instruction; any other call shares no cache entry with
 * the conversation. Neither is ever sent again, so neither is kept.
 */
export function billCall(cache: Cache, call: AuxiliaryCall, { blocks, tokens, at, family }: Situation): Bill {
  const details = { at, outputTokens: call.outputTokens, keep: false };
  if (!call.isAligned) return cache.request([{ id: family, tokens: call.inputTokens }], { ...details, family });
  const instruction = { id: family, tokens: Math.max(0, call.inputTokens - tokens) };
  return cache.request([...blocks, instruction], details);
}
