import type { ModelCall } from '../core/model.ts';
import type { ContextState } from './timeline/state.ts';
import type { ContextEvent, ViewEvent } from './timeline/timeline.ts';

/** What compaction did to a context over its whole life. A turn is one request. Numbers only: no content, no secrets. */
export interface ContextMetrics {
  /** Size of the view now, and where it will be compacted. */
  readonly view: { readonly tokens: number; readonly threshold: number };
  readonly turns: number;
  /** 1. Compactions, and how many in 100 turns. */
  readonly compactions: number;
  readonly compactionsPer100Turns: number | null;
  /** 2. Turns between compactions, the first counted from the start. Null when there was none. */
  readonly turnsBetween: Spread | null;
  /** 3. Calls to models made for compaction, failed ones included. */
  readonly auxiliaryCalls: number;
  /** 4. Tokens each compaction freed, oldest first. */
  readonly reclaimed: Spread | null;
  readonly reclaimedEach: readonly number[];
  /** 5. Tokens of prompts as providers counted them, and of auxiliary calls. */
  readonly promptTokens: {
    readonly total: number;
    readonly cached: number;
    readonly written: number;
    readonly uncached: number;
    readonly output: number;
  };
  readonly auxiliaryTokens: { readonly input: number; readonly output: number };
  /** 6. The first message that a compaction changed, and the tokens of cached prompt that were lost with it. */
  readonly earliestChangedIndex: Spread | null;
  readonly invalidatedTokens: number;
  /** 7. Compactions that only condensed or trimmed, and those that folded. */
  readonly condensedOnly: number;
  readonly folded: number;
  readonly refused: number;
  readonly failed: number;
  readonly undone: number;
  readonly recalls: number;
  /** Tokens saved by all compactions together. */
  readonly tokensSaved: number;
  /** Size after a compaction as a part of the size before, oldest first. */
  readonly ratios: readonly number[];
  /** Tokens of the handoff after each compaction that wrote one, oldest first. */
  readonly handoffTokens: readonly number[];
  readonly lastOutcome: string | null;
}

export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function metricsOf(
  events: readonly ContextEvent[],
  { counters }: ContextState,
  view: ContextMetrics['view'],
): ContextMetrics {
  const made = events.filter((event): event is ViewEvent => event.type === 'view');
  const receipts = made.map((event) => event.receipt);
  const gaps = made.map((event, index) => event.turn - (made[index - 1]?.turn ?? 0));
  const reclaimed = receipts.map(({ tokens }) => tokens.before - tokens.after);
  const calls = receipts.flatMap((receipt) => receipt.calls);
  const folds = receipts.filter((receipt) => receipt.edits.some((edit) => edit.kind === 'fold'));
  const { requests, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = counters;
  return {
    view,
    turns: requests,
    compactions: made.length,
    compactionsPer100Turns: requests === 0 ? null : (100 * made.length) / requests,
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
