import { addBills, NO_BILL } from '../cache/bill.ts';
import type { Bill, CacheRules, EventRecord, FactCount, ReplayResult } from '../types.ts';
import { medianStretch, stretchesOf } from './survival.ts';

/** The figures of one policy under one provider's rules: over one session, or over many together. */
export interface ReplayMetrics {
  readonly policy: string;
  readonly rules: string;
  readonly sessions: number;
  /** A turn is one request to the model. */
  readonly requests: number;
  readonly userTurns: number;
  readonly events: number;
  /** 1. Events in a hundred turns; an event changes bytes of a message that was sent. */
  readonly eventsPer100: number;
  readonly eventsPerUserTurn: number | null;
  /** 2. Turns between events; null when there was none. `median` over sessions takes stretches that the end cut off for what they are. */
  readonly gaps: { readonly mean: number; readonly min: number; readonly median: number | null } | null;
  /** 3. Calls to a model for compaction. */
  readonly auxiliary: { readonly calls: number; readonly perSession: number; readonly bill: Bill };
  /** 4. Tokens an event freed; null when there was none. */
  readonly reclaimed: {
    readonly mean: number;
    /** Part of the view. */
    readonly share: number;
    /** The same for the first event of each session, the second, and so on. */
    readonly byCycle: readonly number[];
    readonly negative: number;
  } | null;
  /** Sessions in which two events in a row freed less than 5 %. */
  readonly stuck: number;
  /** 5. All tokens, those of auxiliary calls included. */
  readonly tokens: Omit<Bill, 'usd'>;
  /** 6. Where the first change was, as an index of what was sent and in tokens; null when there was none. */
  readonly earliest: {
    readonly minIndex: number;
    readonly medianIndex: number;
    readonly medianStableTokens: number;
    readonly medianRewrittenTokens: number;
    readonly medianStableShare: number;
  } | null;
  /** 7. Events that only pruned or trimmed, those that summarised, those that dropped, and attempts that came to nothing. */
  readonly kinds: { readonly prune: number; readonly summary: number; readonly truncate: number };
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
  readonly usd: number;
  readonly usdPer100: number;
  /** If sessions went on for 15 % longer after their first event, as some study found of summaries. */
  readonly usdIfLonger: number;
  /** What the money went to; auxiliary calls stand apart. */
  readonly split: {
    readonly read: number;
    readonly write: number;
    readonly uncached: number;
    readonly output: number;
    readonly auxiliary: number;
  };
  readonly hitRatio: number;
  /** Tokens written for each that was read. */
  readonly writeAmplification: number | null;
  readonly peakTokens: number;
  readonly meanTokens: number;
  /** Parts of the requests above half and four fifths of the window. */
  readonly above50: number;
  readonly above80: number;
  readonly forced: number;
  readonly paidBack: { readonly yes: number; readonly no: number; readonly never: number };
  /** Facts in the last views. `kept` is null when the words of any summary are not known. */
  readonly facts: FactCount & { readonly critical: FactCount };
  readonly rereads: ReplayResult['rereads'];
  /** Sessions that did not fit the window whatever was cut. */
  readonly failed: number;
}

const STUCK_SHARE = 0.05;
const LONGER_SHARE = 0.15;

/** Metrics of results of one policy under one provider's rules; at least one result. */
export function metricsOf(results: readonly ReplayResult[], rules: CacheRules): ReplayMetrics {
  const requests = sum(results, (result) => result.requests);
  const userTurns = sum(results, (result) => result.userTurns);
  const events = results.flatMap((result) => result.events);
  const tokens = {
    read: sum(results, ({ total }) => total.read),
    write: sum(results, ({ total }) => total.write),
    uncached: sum(results, ({ total }) => total.uncached),
    output: sum(results, ({ total }) => total.output),
  };
  const prompt = tokens.read + tokens.write + tokens.uncached;
  const usd = sum(results, (result) => result.usd);
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

function longerUsd({ usd, events, spent }: ReplayResult): number {
  const [first] = events;
  return first === undefined ? usd : usd + LONGER_SHARE * (usd - (spent[first.request - 1] ?? 0));
}

function gapsOf(results: readonly ReplayResult[]): ReplayMetrics['gaps'] {
  const stretches = results.flatMap((result) =>
    stretchesOf(
      result.requests,
      result.events.map(({ request }) => request),
    ),
  );
  const ended = stretches.filter(({ isEnded }) => isEnded).map(({ length }) => length);
  if (ended.length === 0) return null;
  return { mean: mean(ended), min: Math.min(...ended), median: medianStretch(stretches) };
}

function freedShare({ tokensBefore, tokensAfter }: EventRecord): number {
  return tokensBefore === 0 ? 0 : (tokensBefore - tokensAfter) / tokensBefore;
}

function reclaimedOf(results: readonly ReplayResult[]): ReplayMetrics['reclaimed'] {
  const events = results.flatMap((result) => result.events);
  if (events.length === 0) return null;
  const cycles = Math.max(...results.map((result) => result.events.length));
  return {
    mean: mean(events.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter)),
    share: mean(events.map(freedShare)),
    byCycle: Array.from({ length: cycles }, (_, cycle) =>
      mean(results.flatMap((result) => result.events.slice(cycle, cycle + 1).map(freedShare))),
    ),
    negative: events.filter((event) => freedShare(event) < 0).length,
  };
}

function isStuck({ events }: ReplayResult): boolean {
  return events.some((event, index) => {
    const next = events[index + 1];
    return next !== undefined && freedShare(event) < STUCK_SHARE && freedShare(next) < STUCK_SHARE;
  });
}

function earliestOf(events: readonly EventRecord[]): ReplayMetrics['earliest'] {
  if (events.length === 0) return null;
  const indexes = events.map(({ firstChangedIndex }) => firstChangedIndex);
  return {
    minIndex: Math.min(...indexes),
    medianIndex: median(indexes),
    medianStableTokens: median(events.map(({ stableTokens }) => stableTokens)),
    medianRewrittenTokens: median(events.map(({ rewrittenTokens }) => rewrittenTokens)),
    medianStableShare: median(
      events.map(({ stableTokens, tokensBefore }) => (tokensBefore === 0 ? 0 : stableTokens / tokensBefore)),
    ),
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

/** Requests in a dearer tier pay more for everything, so what each session really paid is shared out by list price. */
function splitOf(results: readonly ReplayResult[], rules: CacheRules): ReplayMetrics['split'] {
  const split = { read: 0, write: 0, uncached: 0, output: 0, auxiliary: 0 };
  for (const { total, auxiliary } of results) {
    const own = {
      read: (total.read - auxiliary.bill.read) * rules.read,
      write: (total.write - auxiliary.bill.write) * rules.write,
      uncached: total.uncached - auxiliary.bill.uncached,
      output: (total.output - auxiliary.bill.output) * rules.output,
    };
    const units = own.read + own.write + own.uncached + own.output;
    const price = units === 0 ? 0 : (total.usd - auxiliary.bill.usd) / units;
    split.read += own.read * price;
    split.write += own.write * price;
    split.uncached += own.uncached * price;
    split.output += own.output * price;
    split.auxiliary += auxiliary.bill.usd;
  }
  return split;
}

function factSum(counts: readonly FactCount[]): FactCount {
  const isKnown = counts.every(({ kept }) => kept !== null);
  return { all: sum(counts, ({ all }) => all), kept: isKnown ? sum(counts, ({ kept }) => kept ?? 0) : null };
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values, (value) => value) / values.length;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
