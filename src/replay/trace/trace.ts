import type { Conversation } from '../../core/conversation/conversation.ts';

/** A recorded session as a list of requests. `traceOf` makes one. */
export interface Trace {
  /** Name of the session, e.g. its path. */
  readonly name: string;
  /** The messages as they were recorded. */
  readonly conversation: Conversation;
  /** Tokens of each message. */
  readonly tokens: readonly number[];
  /** Tokens of the system prompt and tools that are sent with the messages. */
  readonly fixedTokens: number;
  /** One request for each assistant message, in order. */
  readonly requests: readonly TraceRequest[];
  /** False when times are assumed. */
  readonly hasTimes: boolean;
  /** Tokens the provider counted per token we counted, learned from recorded usage. @default 1 */
  readonly factor?: number;
}

/** One request to the model, with everything said before it. */
export interface TraceRequest {
  /** Milliseconds since the first request; from the log, or at an assumed pace. */
  readonly at: number;
  /** Index of the first message that is new since the request before. */
  readonly from: number;
  /** Index after the last message that was sent. */
  readonly to: number;
  /** Tokens of the answer. */
  readonly outputTokens: number;
  /** False while calls are unanswered, when no policy may cut. */
  readonly isLegalCut: boolean;
  /** Usage in the log; null when the log has none. */
  readonly recorded: RecordedUsage | null;
}

/** Usage that a provider reported for one request. */
export interface RecordedUsage {
  /** Tokens of the whole prompt, cached ones included. */
  readonly inputTokens: number;
  /** Prompt tokens read from the cache. */
  readonly cachedInputTokens: number;
  /** Prompt tokens written to the cache. */
  readonly cacheWriteTokens: number;
  /** Tokens of the answer. */
  readonly outputTokens: number;
}
