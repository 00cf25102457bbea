import { type Block, fixedBlocks } from '../cache/block.ts';
import type { RequestDetails } from '../cache/cache.ts';
import type { RecordedUsage, Trace } from '../trace/trace.ts';
import { itemsOf } from '../view/item.ts';

/** The requests of a session as the agent sent them. */
export interface CalibrationSession {
  /** Name of the session. */
  readonly name: string;
  /** Its requests, in order. */
  readonly requests: readonly CalibrationRequest[];
}

/** A request as the agent sent it, with its recorded usage. */
export interface CalibrationRequest extends RequestDetails {
  /** The whole prompt. */
  readonly blocks: readonly Block[];
  /** Recorded usage; null when the log has none. Such a request still fills the cache. */
  readonly recorded: RecordedUsage | null;
}

/** Returns the requests of a trace without any compaction. Use it only for sessions that the agent did not compact itself. */
export function calibrationSessionOf(trace: Trace): CalibrationSession {
  const items = itemsOf(trace);
  const fixed = fixedBlocks(trace.fixedTokens);
  return {
    name: trace.name,
    requests: trace.requests.map(({ at, to, outputTokens, recorded }) => ({
      blocks: [...fixed, ...items.slice(0, to)],
      at,
      outputTokens,
      recorded,
    })),
  };
}

/** Share of the earlier prompt that a hit must have read; a smaller read may be the system prompt alone. */
const HIT_SHARE = 0.8;

/**
 * Returns the longest pause before a hit in a log, in milliseconds; 0 without hits. It shows which lifetime the client asked for: above five
 * minutes, it was not Anthropic's shorter one.
 */
export function longestLiveGapMs({ requests }: CalibrationSession): number {
  let longest = 0;
  for (const [index, { at, recorded }] of requests.entries()) {
    const before = requests[index - 1];
    if (recorded === null || before === undefined || before.recorded === null) continue;
    const isHit = recorded.cachedInputTokens >= HIT_SHARE * before.recorded.inputTokens;
    if (isHit) longest = Math.max(longest, at - before.at);
  }
  return longest;
}
