import type { EventRecord } from '../simulate/event.ts';
import type { ReplayResult } from '../simulate/result.ts';
import { mean, median } from './averages.ts';
import type { ReplayMetrics } from './metrics.ts';
import { medianStretch, stretchesOf } from './stretches.ts';

/** A session is stuck when two events in a row free less than this share. */
const STUCK_SHARE = 0.05;

export function gapsOf(results: readonly ReplayResult[]): ReplayMetrics['gaps'] {
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

export function reclaimedOf(results: readonly ReplayResult[]): ReplayMetrics['reclaimed'] {
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

export function isStuck({ events }: ReplayResult): boolean {
  return events.some((event, index) => {
    const next = events[index + 1];
    return next !== undefined && freedShare(event) < STUCK_SHARE && freedShare(next) < STUCK_SHARE;
  });
}

export function earliestOf(events: readonly EventRecord[]): ReplayMetrics['earliest'] {
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

function freedShare({ tokensBefore, tokensAfter }: EventRecord): number {
  return tokensBefore === 0 ? 0 : (tokensBefore - tokensAfter) / tokensBefore;
}
