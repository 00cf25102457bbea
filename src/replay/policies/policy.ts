import type { Message } from '../../core/conversation/message.ts';
import type { SoundnessRules } from '../../core/conversation/sound.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { EventRecord } from '../simulate/event.ts';
import type { ReplayItem } from '../view/item.ts';

/** Decides when and how a session is cut. Write your own as one object with these four members. */
export interface Policy {
  /** Name in results, e.g. `summary-85`. It must be unique within a replay. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** One sentence: trigger, operator, and the messages that stay. */
  readonly note: string;
  /** Starts a fresh run over one session. */
  start(setup: PolicySetup): PolicyRun;
}

/** Facts about a session that hold for the whole run. */
export interface PolicySetup {
  /** Tokens that a request may hold. */
  readonly window: number;
  /** Prices and cache rules of the provider. */
  readonly rules: CacheRules;
  /** Counts the tokens of a text that the policy writes. */
  readonly count: (text: string) => number;
  /** Tokens of system prompt and tools, which no policy can cut. */
  readonly fixedTokens: number;
  /** Input for policies that run the precis engine. */
  readonly engine: EngineSetup;
}

/** The conversation as the precis engine needs it. */
export interface EngineSetup {
  /** Id of the wire format. */
  readonly format: string;
  /** The request around the messages, as the format decoded it. */
  readonly envelope: unknown;
  /** Rules that a view must satisfy in this format. */
  readonly soundness: SoundnessRules;
  /** Tokens of each recorded message. */
  readonly counts: WeakMap<Message, number>;
  /** Results of the engine, which all runs over the session share because they depend on the view alone. */
  readonly memo: Map<string, unknown>;
}

/** One policy over one session. It may keep state between requests. */
export interface PolicyRun {
  /** Chooses the form in which a message enters the view. Return the item itself to leave it unchanged. @default unchanged */
  insert?(item: ReplayItem, message: Message): ReplayItem;
  /** Decides before a request: returns a change, a cut that was given up, or null for nothing. It is not called while calls are unanswered. */
  before(view: PolicyView): Change | Rejection | null | Promise<Change | Rejection | null>;
}

/** Everything a policy may know before a request. It covers the past, never the future. */
export interface PolicyView {
  /** Index of the request, from 0. */
  readonly request: number;
  /** The messages about to be sent. */
  readonly view: readonly ReplayItem[];
  /** Tokens of the request, system prompt and tools included. */
  readonly tokens: number;
  /** Tokens that a request may hold. */
  readonly window: number;
  /** Prices and cache rules of the provider. */
  readonly rules: CacheRules;
  /** Milliseconds since the request before; null for the first. */
  readonly sinceLastMs: number | null;
  /** True when the cache of the last request has expired. */
  readonly isCold: boolean;
  /** Tokens that each request adds, as a moving average. */
  readonly growth: number;
  /** Requests since the last event. */
  readonly sinceEvent: number;
  /** Events so far. */
  readonly events: readonly EventRecord[];
  /** All messages so far, as they were recorded. */
  readonly history: readonly Message[];
  /** False while calls are unanswered. */
  readonly isLegalCut: boolean;
}

/** A new view for the request, and the model calls that made it. */
export interface Change {
  /** The operator: shorten outputs, clear them, replace messages by a summary, or drop messages. */
  readonly op: 'trim' | 'prune' | 'summary' | 'truncate';
  /** The messages to send instead. */
  readonly view: readonly ReplayItem[];
  /** Model calls that the change costs; empty for none. */
  readonly calls: readonly AuxiliaryCall[];
  /** Why, for people. */
  readonly reason: string;
}

/** A cut that the policy tried and gave up. It is counted, but it is not an event. */
export interface Rejection {
  /** Reason for people. Results count rejections by it. */
  readonly rejected: string;
}

/** A model call that a policy makes for a compaction. */
export interface AuxiliaryCall {
  /** Tokens of the prompt. */
  readonly inputTokens: number;
  /** Tokens of the answer. */
  readonly outputTokens: number;
  /** True when the prompt is the conversation plus one message, so that it reads the cache. */
  readonly isAligned: boolean;
}
