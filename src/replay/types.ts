/** The words of the replay, as types. A replay is a function of data: a recorded session, a policy, and the rules of a provider's cache. */
import type { Conversation } from '../core/conversation/conversation.ts';
import type { Message } from '../core/conversation/message.ts';
import type { SoundnessRules } from '../core/conversation/sound.ts';

/** How sure a figure is: the provider says so, others report it, or nobody knows. */
export type Mark = 'documented' | 'reported' | 'assumed';

/** Prices and cache rules of one provider and class of models. Multipliers are of the base price of input. */
export interface CacheRules {
  /** E.g. `anthropic-5m`. */
  readonly id: string;
  readonly title: string;
  /** When the figures were taken. */
  readonly asOf: string;
  /** How sure they are, except for the fields that `marks` names. */
  readonly mark: Mark;
  /** Fields that are more or less sure than the rest. */
  readonly marks?: Readonly<Record<string, Mark>>;
  /** What a reader of a report should know: conflicts, what is left out. */
  readonly note?: string;
  readonly usdPerMillionInput: number;
  readonly read: number;
  readonly write: number;
  readonly output: number;
  /** How long an entry lives after it was last used, in milliseconds; null for ever. */
  readonly ttlMs: number | null;
  readonly refreshOnHit: boolean;
  /** Prefixes below this size are not cached. */
  readonly minTokens: number;
  /** A prefix is matched in steps of so many tokens; 1 for exact. */
  readonly granularity: number;
  /** How many places are looked at for an entry from a breakpoint backwards, itself included; null for all. */
  readonly lookbackBlocks: number | null;
  /** Breakpoints that one request may write; null where every prefix is kept without being marked. */
  readonly writeBreakpoints: number | null;
  /** Chance that an entry which is there is found, from 0 to 1. */
  readonly hitProbability: number;
  /** Requests above a size pay these multiples on everything. */
  readonly tiers: readonly { readonly aboveTokens: number; readonly input: number; readonly output: number }[];
}

/** A stretch of a request that is the same or is not: one message, or the system prompt with the tools. */
export interface Block {
  /** Equal for equal bytes. */
  readonly id: string;
  readonly tokens: number;
  /** Content blocks on the wire, which is what a look-back counts; 1 when absent. */
  readonly parts?: number;
}

/**
 * What one request costs. Tokens of the prompt are read from the cache, written to it, or neither. Where writing costs what
 * other input costs, nothing is counted as written: such providers report no writes either.
 */
export interface Bill {
  readonly read: number;
  readonly write: number;
  readonly uncached: number;
  readonly output: number;
  readonly usd: number;
}

/** A provider's cache, as requests find it one after the other. */
export interface Cache {
  readonly rules: CacheRules;
  /**
   * Bills a request and remembers it. `family` tells requests apart that can never share an entry (another model, other tools).
   * With `keep: false` nothing is written, as for a call whose prefix nobody will send again.
   */
  request(blocks: readonly Block[], details: RequestDetails): Bill;
}

export interface RequestDetails {
  /** Milliseconds, on the same clock for all requests. */
  readonly at: number;
  readonly outputTokens: number;
  readonly family?: string;
  readonly keep?: boolean;
  /** Indexes of the blocks that end a prefix to keep; by default the first block and the last ones, as agents do it. */
  readonly breakpoints?: readonly number[];
}

/** What a provider said a request cost, as a log recorded it. */
export interface RecordedUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** One request to the model: everything said before it was sent. */
export interface TraceRequest {
  /** Milliseconds since the first; from the log, or at an assumed pace. */
  readonly at: number;
  /** Messages of the conversation that were added since the request before, as indexes `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  readonly outputTokens: number;
  /** False while calls are unanswered: nothing may be cut then. */
  readonly isLegalCut: boolean;
  readonly recorded: RecordedUsage | null;
}

/** A recorded session as requests. */
export interface Trace {
  readonly name: string;
  readonly conversation: Conversation;
  /** Tokens of each message. */
  readonly tokens: readonly number[];
  /** Tokens of system prompt and tools that are sent beside the messages. */
  readonly fixedTokens: number;
  readonly requests: readonly TraceRequest[];
  /** False when times are assumed. */
  readonly hasTimes: boolean;
  /** Tokens of the provider per counted token, where the log has recorded usage to learn it from. @default 1 */
  readonly factor?: number;
}

/** A message of a view: an original by its index in the conversation, or something that stands in its place. */
export interface ViewItem {
  /** Index of the original; null for a summary or note. */
  readonly index: number | null;
  /** Equal for equal bytes. */
  readonly id: string;
  readonly tokens: number;
  readonly role: Message['role'];
  /** True for tool output that a policy may clear. */
  readonly isOutput: boolean;
  /** The message itself, where a policy made one; null where only its size is known. */
  readonly message: Message | null;
  /** Content blocks on the wire; 1 when absent. */
  readonly parts?: number;
}

/** What a policy may know before a request: the past, never the future. */
export interface PolicyView {
  readonly request: number;
  readonly view: readonly ViewItem[];
  readonly tokens: number;
  readonly window: number;
  readonly rules: CacheRules;
  /** Milliseconds since the request before; null for the first. */
  readonly sinceLastMs: number | null;
  /** True when the cache of the last request has expired by now. */
  readonly isCold: boolean;
  /** Tokens that requests add, as a moving average. */
  readonly growth: number;
  /** Requests since the last event. */
  readonly sinceEvent: number;
  readonly events: readonly EventRecord[];
  /** All that was said so far. */
  readonly history: readonly Message[];
  readonly isLegalCut: boolean;
}

/** A call to a model that a policy makes for itself. */
export interface AuxiliaryCall {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True when it is the conversation itself with one more message, which the cache has. */
  readonly isAligned: boolean;
}

export interface Change {
  readonly op: 'trim' | 'prune' | 'summary' | 'truncate';
  readonly view: readonly ViewItem[];
  readonly calls: readonly AuxiliaryCall[];
  readonly reason: string;
}

/** How and when a session is cut. One file each; a user's own is one object. */
export interface Policy {
  readonly id: string;
  readonly title: string;
  /** One sentence: trigger, operator, what is kept. */
  readonly note: string;
  /** A fresh run over one session. */
  start(setup: PolicySetup): PolicyRun;
}

export interface PolicySetup {
  readonly window: number;
  readonly rules: CacheRules;
  readonly count: (text: string) => number;
  /** Tokens of system prompt and tools that no policy can cut. */
  readonly fixedTokens: number;
  /** What the engine needs to know of the conversation around its messages. */
  readonly engine: EngineSetup;
}

export interface EngineSetup {
  readonly format: string;
  readonly envelope: unknown;
  readonly soundness: SoundnessRules;
  /** Tokens of messages as the trace has them. */
  readonly counts: WeakMap<Message, number>;
  /** What the engine made of a view, kept for other runs over the same session: it is a function of the view alone. */
  readonly memo: Map<string, unknown>;
}

export interface PolicyRun {
  /** The form in which a message enters the view; the item itself to leave it as it is. */
  insert?(item: ViewItem, message: Message): ViewItem;
  /** What to do before a request; null for nothing. Not asked while calls are unanswered. */
  before(view: PolicyView): Change | Rejection | null | Promise<Change | Rejection | null>;
}

/** A cut that was tried and not made. No event, but it is counted. */
export interface Rejection {
  readonly rejected: string;
}

/** One change of what was already sent. */
export interface EventRecord {
  readonly request: number;
  readonly op: Change['op'];
  /** The window left no choice. */
  readonly isForced: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly firstChangedIndex: number;
  /** Tokens before the first change, and behind it that are written anew. */
  readonly stableTokens: number;
  readonly rewrittenTokens: number;
  readonly isWarm: boolean;
  readonly usd: number;
  /** Requests until it has paid for itself, as expected then, and whether the session lasted so long. */
  readonly breakEvenRequests: number | null;
  readonly paidBack: boolean | null;
  readonly reason: string;
}

/** One policy over one session under one provider's rules. */
export interface ReplayResult {
  readonly version: 1;
  readonly session: string;
  readonly policy: string;
  readonly rules: string;
  readonly requests: number;
  /** Things the user said, for figures per user turn. */
  readonly userTurns: number;
  readonly window: number;
  readonly events: readonly EventRecord[];
  readonly auxiliary: { readonly calls: number; readonly bill: Bill };
  /** Everything together, auxiliary calls included. */
  readonly total: Bill;
  readonly usd: number;
  readonly peakTokens: number;
  readonly meanTokens: number;
  /** Share of the prompt tokens that came from the cache. */
  readonly hitRatio: number;
  /** Size of the view at each request, for the sawtooth. */
  readonly sizes: readonly number[];
  /** Cost so far at each request. */
  readonly spent: readonly number[];
  /** All facts of the session, and those literally in the last view; null where a summary's words are not known. */
  readonly facts: FactCount & { readonly critical: FactCount };
  /** Content that was dropped and read again later, and what writing and carrying it once more costs at most. */
  readonly rereads: { readonly count: number; readonly tokens: number; readonly usd: number };
  /** The request at which the window was exceeded and nothing could be done; null when it never was. */
  readonly failedAt: number | null;
  /** Cuts that were tried and not made, by reason. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
}

export interface FactCount {
  readonly all: number;
  readonly kept: number | null;
}

/** The cheapest that anyone could have done who knew the whole session. */
export interface Optimum {
  readonly usd: number;
  /** Requests before which to compact. */
  readonly events: readonly number[];
}
