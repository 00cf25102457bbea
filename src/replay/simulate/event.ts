import { tokensOf } from '../trace/blocks.ts';
import type { CacheRules, Change, EventRecord, ViewItem } from '../types.ts';

export interface EventInput {
  readonly request: number;
  readonly change: Change;
  readonly isForced: boolean;
  /** Index of the first sent message whose bytes differ. */
  readonly changedAt: number;
  /** What was sent last. */
  readonly old: readonly ViewItem[];
  readonly fixedTokens: number;
  /** Tokens that the change took away. */
  readonly freed: number;
  readonly callsUsd: number;
  readonly isWarm: boolean;
  readonly rules: CacheRules;
  /** Requests that were still to come, this one included. */
  readonly left: number;
}

/** What a change of sent messages was worth. Sizes are those before the new messages of the request, so that they compare with what was sent. */
export function eventOf(input: EventInput): EventRecord {
  const { rules, freed, old, fixedTokens, changedAt, isWarm } = input;
  const tokensBefore = fixedTokens + tokensOf(old);
  const tokensAfter = tokensBefore - freed;
  const stableTokens = fixedTokens + tokensOf(old.slice(0, changedAt));
  const rewrittenTokens = Math.max(0, tokensAfter - stableTokens);
  const perToken = rules.usdPerMillionInput / 1_000_000;
  // Warm, the rest is written anew instead of read. Cold, all is written anew anyway, and what was freed is not.
  const rewriting = isWarm ? (rules.write - rules.read) * rewrittenTokens : -rules.write * freed;
  const usd = input.callsUsd + rewriting * perToken;
  const saved = rules.read * freed * perToken;
  // Cold, the first request after the event is in the sum above already.
  const lasted = input.left - (isWarm ? 0 : 1);
  const breakEvenRequests = saved <= 0 ? null : Math.max(0, usd / saved);
  return {
    request: input.request,
    op: input.change.op,
    isForced: input.isForced,
    tokensBefore,
    tokensAfter,
    firstChangedIndex: changedAt,
    stableTokens,
    rewrittenTokens,
    isWarm,
    usd,
    breakEvenRequests,
    paidBack: breakEvenRequests === null ? null : breakEvenRequests <= lasted,
    reason: input.change.reason,
  };
}
