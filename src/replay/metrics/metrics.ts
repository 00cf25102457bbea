import { addBills, type Bill, NO_BILL } from '../cache/bill.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { FactCount, ReplayResult } from '../simulate/result.ts';
import { sum } from './averages.ts';
import { longerUsd, splitOf } from './cost-metrics.ts';
import { earliestOf, gapsOf, isStuck, reclaimedOf } from './event-metrics.ts';

/** Figures of one policy under one provider's rules, over one session or many together. A turn is one request to the model. */
export interface ReplayMetrics {
  /** Id of the policy. */
  readonly policy: string;
  /** Id of the cache rules. */
  readonly rules: string;
  /** Sessions that were replayed. */
  readonly sessions: number;
  /** Number of turns. */
  readonly requests: number;
  /** Messages in which the user said something. */
  readonly userTurns: number;
  /** Events: changes to messages that had been sent. */
  readonly events: number;
  /** Metric 1: events per 100 turns. */
  readonly eventsPer100: number;
  /** Events per user turn; null without user turns. */
  readonly eventsPerUserTurn: number | null;
  /** Metric 2: turns between events; null without events. `median` includes stretches that the end of a session cut off (Kaplan and Meier). */
  readonly gaps: { readonly mean: number; readonly min: number; readonly median: number | null } | null;
  /** Metric 3: model calls for compaction. */
  readonly auxiliary: { readonly calls: number; readonly perSession: number; readonly bill: Bill };
  /** Metric 4: tokens that an event freed; null without events. */
  readonly reclaimed: {
    readonly mean: number;
    /** Mean share of the view, from 0 to 1. */
    readonly share: number;
    /** Mean share for the first event of each session, for the second, and so on. */
    readonly byCycle: readonly number[];
    /** Events that made the view larger. */
    readonly negative: number;
  } | null;
  /** Sessions in which two events in a row freed less than 5 %. */
  readonly stuck: number;
  /** Metric 5: all tokens, including those of auxiliary calls. */
  readonly tokens: Omit<Bill, 'usd'>;
  /** Metric 6: the first message that an event changed, by its index and in tokens; null without events. */
  readonly earliest: {
    readonly minIndex: number;
    readonly medianIndex: number;
    readonly medianStableTokens: number;
    readonly medianRewrittenTokens: number;
    readonly medianStableShare: number;
  } | null;
  /** Metric 7: events that pruned or trimmed, that summarised, and that dropped messages. */
  readonly kinds: { readonly prune: number; readonly summary: number; readonly truncate: number };
  /** Cuts that the policy tried and gave up, by reason, the most frequent first. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
  /** Cost in US dollars. */
  readonly usd: number;
  /** Cost per 100 turns in US dollars. */
  readonly usdPer100: number;
  /** Cost in US dollars if everything after the first event of a session were 15 % longer. */
  readonly usdIfLonger: number;
  /** Cost in US dollars by kind of token, with auxiliary calls listed separately. */
  readonly split: {
    readonly read: number;
    readonly write: number;
    readonly uncached: number;
    readonly output: number;
    readonly auxiliary: number;
  };
  /** Share of the prompt tokens that came from the cache, from 0 to 1. */
  readonly hitRatio: number;
  /** Tokens written for each token read; null when none was read. */
  readonly writeAmplification: number | null;
  /** Tokens of the largest request. */
  readonly peakTokens: number;
  /** Mean tokens of a request. */
  readonly meanTokens: number;
  /** Share of the requests above half of the window. */
  readonly above50: number;
  /** Share of the requests above four fifths of the window. */
  readonly above80: number;
  /** Events that the window forced. */
  readonly forced: number;
  /** Events that paid for themselves within the session, that did not, and that never could. */
  readonly paidBack: { readonly yes: number; readonly no: number; readonly never: number };
  /** Facts of the sessions, and how many of them the last views hold. */
  readonly facts: FactCount & { readonly critical: FactCount };
  /** Content that was dropped and later read again. */
  readonly rereads: ReplayResult['rereads'];
  /** Sessions that exceeded the window even after every possible cut. */
  readonly failed: number;
}

/** Computes the metrics of one policy under one provider's rules from one result or more. */
export function metricsOf(results: readonly ReplayResult[], rules: CacheRules): ReplayMetrics {
  const requests = sum(results, (result) => result.requests);
  const userTurns = sum(results, (result) => result.userTurns);
  const events = results.flatMap((result) => result.events);
  const { usd, ...tokens } = results.map(({ total }) => total).reduce(addBills, NO_BILL);
  const prompt = tokens.read + tokens.write + tokens.uncached;
  const calls = sum(results, ({ auxiliary }) => auxiliary.calls);
  const sizes = (share: number): number =>
    sum(results, (result) => result.sizes.filter((size) => size > result.window * share).length);
  return {
    policy: results[0]?.policy ?? '',
    rules: rules.id,
    sessions: results.length,
    requests,
    userTurns,
    events: events.length,
    eventsPer100: requests === 0 ? 0 : (100 * events.length) / requests,
    eventsPerUserTurn: userTurns === 0 ? null : events.length / userTurns,
    gaps: gapsOf(results),
    auxiliary: {
      calls,
      perSession: calls / Math.max(1, results.length),
      bill: results.map(({ auxiliary }) => auxiliary.bill).reduce(addBills, NO_BILL),
    },
    reclaimed: reclaimedOf(results),
    stuck: results.filter(isStuck).length,
    tokens,
    earliest: earliestOf(events),
    kinds: {
      prune: events.filter(({ op }) => op === 'prune' || op === 'trim').length,
      summary: events.filter(({ op }) => op === 'summary').length,
      truncate: events.filter(({ op }) => op === 'truncate').length,
    },
    rejected: rejectedOf(results),
    usd,
    usdPer100: requests === 0 ? 0 : (100 * usd) / requests,
    usdIfLonger: sum(results, longerUsd),
    split: splitOf(results, rules),
    hitRatio: prompt === 0 ? 0 : tokens.read / prompt,
    writeAmplification: tokens.read === 0 ? null : tokens.write / tokens.read,
    peakTokens: Math.max(0, ...results.map((result) => result.peakTokens)),
    meanTokens: requests === 0 ? 0 : sum(results, (result) => result.meanTokens * result.requests) / requests,
    above50: requests === 0 ? 0 : sizes(0.5) / requests,
    above80: requests === 0 ? 0 : sizes(0.8) / requests,
    forced: events.filter(({ isForced }) => isForced).length,
    paidBack: {
      yes: events.filter(({ paidBack }) => paidBack === true).length,
      no: events.filter(({ paidBack }) => paidBack === false).length,
      never: events.filter(({ paidBack }) => paidBack === null).length,
    },
    facts: {
      ...factSum(results.map((result) => result.facts)),
      critical: factSum(results.map((result) => result.facts.critical)),
    },
    rereads: {
      count: sum(results, (result) => result.rereads.count),
      tokens: sum(results, (result) => result.rereads.tokens),
      usd: sum(results, (result) => result.rereads.usd),
    },
    failed: results.filter((result) => result.failedAt !== null).length,
  };
}

function rejectedOf(results: readonly ReplayResult[]): ReplayMetrics['rejected'] {
  const counts = new Map<string, number>();
  for (const { rejected } of results)
    for (const { reason, count } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}

function factSum(counts: readonly FactCount[]): FactCount {
  const isKnown = counts.every(({ kept }) => kept !== null);
  return { all: sum(counts, ({ all }) => all), kept: isKnown ? sum(counts, ({ kept }) => kept ?? 0) : null };
}
