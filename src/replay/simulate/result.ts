import { isUserTurn } from '../../core/conversation/turns.ts';
import type { Bill } from '../cache/bill.ts';
import type { EventRecord } from './event.ts';
import { factsKept } from './facts-kept.ts';
import type { Run } from './run.ts';

/** One policy over one session under one provider's rules. */
export interface ReplayResult {
  /** Version of this shape. */
  readonly version: 1;
  /** Name of the trace. */
  readonly session: string;
  /** Id of the policy. */
  readonly policy: string;
  /** Id of the cache rules. */
  readonly rules: string;
  /** Requests that were replayed. */
  readonly requests: number;
  /** Messages in which the user said something. */
  readonly userTurns: number;
  /** Tokens that a request may hold. */
  readonly window: number;
  /** Changes of messages that had been sent, in order. */
  readonly events: readonly EventRecord[];
  /** Model calls for compaction, and their total bill. */
  readonly auxiliary: { readonly calls: number; readonly bill: Bill };
  /** Total bill of all requests and auxiliary calls. */
  readonly total: Bill;
  /** Cost in US dollars; the same as `total.usd`. */
  readonly usd: number;
  /** Tokens of the largest request. */
  readonly peakTokens: number;
  /** Mean tokens of a request. */
  readonly meanTokens: number;
  /** Share of the prompt tokens that came from the cache, from 0 to 1. */
  readonly hitRatio: number;
  /** Tokens of each request. */
  readonly sizes: readonly number[];
  /** US dollars spent by the end of each request. */
  readonly spent: readonly number[];
  /** Facts of the session, and those that the last view holds literally. */
  readonly facts: FactCount & { readonly critical: FactCount };
  /** Content that was dropped and later read again, and the highest cost of writing and carrying it once more. */
  readonly rereads: { readonly count: number; readonly tokens: number; readonly usd: number };
  /** Index of the first request that exceeded the window even after every possible cut; null when none did. */
  readonly failedAt: number | null;
  /** Cuts that the policy tried and gave up, by reason, the most frequent first. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
}

/** Facts in a session and in its last view. */
export interface FactCount {
  /** Facts that hold at the end of the session. */
  readonly all: number;
  /** Facts that the last view contains; null when the words of a summary are unknown. */
  readonly kept: number | null;
}

export function resultOf(run: Run): ReplayResult {
  const { trace, options, events, auxiliary, total, sizes, spent, failedAt } = run;
  const { requests, conversation } = trace;
  const prompt = total.read + total.write + total.uncached;
  return {
    version: 1,
    session: trace.name,
    policy: options.policy.id,
    rules: options.rules.id,
    requests: requests.length,
    userTurns: conversation.messages.slice(0, requests.at(-1)?.to ?? 0).filter(isUserTurn).length,
    window: options.window,
    events,
    auxiliary,
    total,
    usd: total.usd,
    peakTokens: Math.max(0, ...sizes),
    meanTokens: sizes.length === 0 ? 0 : sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    hitRatio: prompt === 0 ? 0 : total.read / prompt,
    sizes,
    spent,
    facts: factsKept(trace, run.view),
    rereads: run.rereads.found(options.rules),
    failedAt,
    rejected: [...run.rejected]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count),
  };
}
