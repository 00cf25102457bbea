import type { SessionCalibration } from '../calibration/session-calibration.ts';
import type { Trace } from '../trace/trace.ts';

/** Figures of one session that are the same for every policy. */
export interface SessionRow {
  /** Name of the trace. */
  readonly name: string;
  /** Requests of the session. */
  readonly requests: number;
  /** Tokens of the last request without compaction. */
  readonly tokens: number;
  /** Tokens of system prompt and tools. */
  readonly fixedTokens: number;
  /** Tokens the provider counted per token we counted; 1 where no usage was recorded. */
  readonly factor: number;
  /** False when times are assumed. */
  readonly hasTimes: boolean;
  /** True when the whole session fits the window without a cut. */
  readonly fits: boolean;
  /** Price of the optimum in US dollars, by id of the cache rules; absent where it was not computed. */
  readonly optimumUsd?: Readonly<Record<string, number>>;
  /** Error of the cache rules against the recorded usage; null or absent where nothing was recorded. */
  readonly calibration?: SessionCalibration | null;
}

export function sessionRowOf(trace: Trace, window: number): SessionRow {
  const last = trace.requests.at(-1)?.to ?? 0;
  const tokens = trace.tokens.slice(0, last).reduce((sum, each) => sum + each, trace.fixedTokens);
  return {
    name: trace.name,
    requests: trace.requests.length,
    tokens,
    fixedTokens: trace.fixedTokens,
    factor: trace.factor ?? 1,
    hasTimes: trace.hasTimes,
    fits: tokens <= window,
  };
}
