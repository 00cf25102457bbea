import { tokensOf } from '../cache/block.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { Change } from '../policies/policy.ts';
import type { ReplayItem } from '../view/item.ts';

/** One change to messages that had been sent. Sizes do not count the messages that are new with the request. */
export interface EventRecord {
  /** Index of the request before which it happened. */
  readonly request: number;
  /** The operator. */
  readonly op: Change['op'];
  /** True when the window left no choice. */
  readonly isForced: boolean;
  /** Tokens of the sent messages before the change. */
  readonly tokensBefore: number;
  /** Tokens of those messages after the change. */
  readonly tokensAfter: number;
  /** Index of the first sent message that changed. */
  readonly firstChangedIndex: number;
  /** Tokens before the first change, which the cache still holds. */
  readonly stableTokens: number;
  /** Tokens after the first change, which the cache writes again. */
  readonly rewrittenTokens: number;
  /** True when the cache had not expired. */
  readonly isWarm: boolean;
  /** US dollars that the event cost at once; negative when it saved money at once. */
  readonly usd: number;
  /** Requests until it pays for itself, as expected at that time; null when it never does. */
  readonly breakEvenRequests: number | null;
  /** True when the session lasted that long; null when the event never pays for itself. */
  readonly paidBack: boolean | null;
  /** Why, for people. */
  readonly reason: string;
}

export interface EventInput {
  readonly request: number;
  readonly change: Change;
  readonly isForced: boolean;
  /** Index of the first sent message whose bytes differ. */
  readonly changedAt: number;
  /** The messages that were sent last. */
  readonly old: readonly ReplayItem[];
  readonly fixedTokens: number;
  /** Tokens that the change removed. */
  readonly freed: number;
  readonly callsUsd: number;
  readonly isWarm: boolean;
  readonly rules: CacheRules;
  /** Requests to come, this one included. */
  readonly left: number;
}

/** Computes the cost of a change and whether it paid for itself. */
export function eventOf(input: EventInput): EventRecord {
  const { rules, freed, old, fixedTokens, changedAt, isWarm } = input;
  const tokensBefore = fixedTokens + tokensOf(old);
  const tokensAfter = tokensBefore - freed;
  const stableTokens = fixedTokens + tokensOf(old.slice(0, changedAt));
  const rewrittenTokens = Math.max(0, tokensAfter - stableTokens);
  const perToken = rules.usdPerMillionInput / 1_000_000;
  // Warm: tokens after the change are written instead of read. Cold: everything is written anyway, except the freed tokens.
  const rewriting = isWarm ? (rules.write - rules.read) * rewrittenTokens : -rules.write * freed;
  const usd = input.callsUsd + rewriting * perToken;
  const saved = rules.read * freed * perToken;
  // Cold: the sum above already includes the first request after the event.
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
