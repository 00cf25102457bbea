import type { ModelCall } from '../core/model.ts';
import type { Account } from '../core/tokens/account.ts';
import type { TimelineEvent, ViewEvent } from './timeline/event.ts';
import type { ContextState } from './timeline/state.ts';

/** Effects of compaction on a context over its whole life. A turn is one request. The metrics are numbers only, without content or secrets. */
export interface ContextMetrics {
  /** Size of the request now, line by line too, and the size above which it is compacted, in tokens. */
  readonly view: { readonly tokens: number; readonly threshold: number; readonly account: Account };
  /** Requests that were prepared. */
  readonly turns: number;
  /** Compactions that made a new view. */
  readonly compactions: number;
  /** Compactions per 100 turns; null before the first turn. */
  readonly compactionsPer100Turns: number | null;
  /** Turns between compactions, the first counted from the start. Null when there was none. */
  readonly turnsBetween: Spread | null;
  /** Calls to models made for compaction, failed ones included. */
  readonly auxiliaryCalls: number;
  /** Tokens that a compaction freed. Null when there was none. */
  readonly reclaimed: Spread | null;
  /** Tokens that each compaction freed, oldest first. */
  readonly reclaimedEach: readonly number[];
  /** Tokens of all prompts as providers counted them (read from the cache, written to it, or neither), and tokens of the answers. */
  readonly promptTokens: {
    readonly total: number;
    readonly cached: number;
    readonly written: number;
    readonly uncached: number;
    readonly output: number;
  };
  /** Tokens of the calls to models made for compaction. */
  readonly auxiliaryTokens: { readonly input: number; readonly output: number };
  /** Index of the first message that a compaction changed, counted from 0. Null when there was none. */
  readonly earliestChangedIndex: Spread | null;
  /** Tokens of cached prompt that providers had to read again because of compactions. */
  readonly invalidatedTokens: number;
  /** Compactions that only condensed or trimmed. */
  readonly condensedOnly: number;
  /** Compactions that folded. */
  readonly folded: number;
  /** Compactions that were refused because they would not have helped. */
  readonly refused: number;
  /** Compactions that broke or were aborted. */
  readonly failed: number;
  /** Compactions that were taken back with `undo()`. */
  readonly undone: number;
  /** Recalls by the agent. */
  readonly recalls: number;
  /** Tokens saved by all compactions together. */
  readonly tokensSaved: number;
  /** Size after each compaction divided by the size before, oldest first. */
  readonly ratios: readonly number[];
  /** Tokens of the handoff after each compaction that wrote one, oldest first. */
  readonly handoffTokens: readonly number[];
  /** Outcome of the newest compaction; null when there was none. */
  readonly lastOutcome: string | null;
}

/** Mean, median and range of a list of numbers. */
export interface Spread {
  /** Arithmetic mean. */
  readonly mean: number;
  /** The middle value, or the mean of the two in the middle. */
  readonly median: number;
  /** The smallest value. */
  readonly min: number;
  /** The largest value. */
  readonly max: number;
}

export function metricsOf(
  events: readonly TimelineEvent[],
  { counters }: ContextState,
  view: ContextMetrics['view'],
): ContextMetrics {
  const views = events.filter((event): event is ViewEvent => event.type === 'view');
  const receipts = views.map((event) => event.receipt);
  const gaps = views.map((event, index) => event.turn - (views[index - 1]?.turn ?? 0));
  const reclaimed = receipts.map(({ tokens }) => tokens.before - tokens.after);
  const calls = receipts.flatMap((receipt) => receipt.calls);
  const folds = receipts.filter((receipt) => receipt.edits.some((edit) => edit.kind === 'fold'));
  const { requests, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = counters;
  return {
    view,
    turns: requests,
    compactions: views.length,
    compactionsPer100Turns: requests === 0 ? null : (100 * views.length) / requests,
    turnsBetween: spread(gaps),
    auxiliaryCalls: calls.length,
    reclaimed: spread(reclaimed),
    reclaimedEach: reclaimed,
    promptTokens: {
      total: inputTokens,
      cached: cachedInputTokens,
      written: cacheWriteTokens,
      uncached: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
      output: outputTokens,
    },
    auxiliaryTokens: { input: sumOf(calls, 'inputTokens'), output: sumOf(calls, 'outputTokens') },
    earliestChangedIndex: spread(receipts.map(({ cache }) => cache.earliestChangedIndex)),
    invalidatedTokens: receipts.reduce((sum, { cache }) => sum + cache.invalidatedTokens, 0),
    condensedOnly: receipts.length - folds.length,
    folded: folds.length,
    refused: counters.refused,
    failed: counters.failed,
    undone: counters.undone,
    recalls: counters.recalls,
    tokensSaved: reclaimed.reduce((sum, each) => sum + each, 0),
    ratios: receipts.map(({ tokens }) => tokens.after / Math.max(1, tokens.before)),
    handoffTokens: folds.map(({ edits }) =>
      edits.reduce((sum, edit) => sum + (edit.kind === 'fold' ? edit.tokensAfter : 0), 0),
    ),
    lastOutcome: receipts.at(-1)?.outcome ?? null,
  };
}

function sumOf(calls: readonly ModelCall[], field: 'inputTokens' | 'outputTokens'): number {
  return calls.reduce((sum, call) => sum + (call[field] ?? 0), 0);
}

function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1
      ? (sorted[Math.floor(middle)] ?? 0)
      : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    median,
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
  };
}
