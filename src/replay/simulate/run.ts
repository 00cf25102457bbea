import type { Message } from '../../core/conversation/message.ts';
import { heuristicCounter } from '../../core/tokens/counter.ts';
import { type Bill, NO_BILL } from '../cache/bill.ts';
import { type Block, fixedBlocks } from '../cache/block.ts';
import { type Cache, createCache } from '../cache/cache.ts';
import { seededRandom } from '../cache/seeded-random.ts';
import type { EngineSetup, PolicyRun, PolicySetup } from '../policies/policy.ts';
import type { Trace } from '../trace/trace.ts';
import type { ReplayItem } from '../view/item.ts';
import type { EventRecord } from './event.ts';
import type { SimulateOptions } from './options.ts';
import { createRereads, type Rereads } from './rereads.ts';

/** The state of a session that is being replayed: constants first, then the fields that each request changes. */
export interface Run {
  readonly trace: Trace;
  readonly options: SimulateOptions;
  readonly policy: PolicyRun;
  readonly cache: Cache;
  readonly fixed: readonly Block[];
  readonly rereads: Rereads;
  readonly events: EventRecord[];
  readonly sizes: number[];
  readonly spent: number[];
  /** Cuts that were given up, by reason. */
  readonly rejected: Map<string, number>;
  view: ReplayItem[];
  /** Tokens of the view, system prompt and tools included. */
  tokens: number;
  /** Tokens that each request adds, as a moving average. */
  growth: number;
  /** Index of the last request with an event. */
  lastEvent: number;
  failedAt: number | null;
  total: Bill;
  auxiliary: { readonly calls: number; readonly bill: Bill };
}

export function startRun(trace: Trace, options: SimulateOptions): Run {
  return {
    trace,
    options,
    policy: options.policy.start(setupOf(trace, options)),
    cache: createCache(options.rules, { random: seededRandom(options.seed ?? 1) }),
    fixed: fixedBlocks(trace.fixedTokens),
    rereads: createRereads(trace),
    events: [],
    sizes: [],
    spent: [],
    rejected: new Map(),
    view: [],
    tokens: trace.fixedTokens,
    growth: 0,
    lastEvent: 0,
    failedAt: null,
    total: NO_BILL,
    auxiliary: { calls: 0, bill: NO_BILL },
  };
}

function setupOf(
  trace: Trace,
  { window, rules, count = heuristicCounter.count, soundness }: SimulateOptions,
): PolicySetup {
  const { conversation, fixedTokens, factor = 1 } = trace;
  const { format, envelope } = conversation;
  return {
    window,
    rules,
    count: factor === 1 ? count : (text) => Math.ceil(count(text) * factor),
    fixedTokens,
    engine: { format, envelope, soundness: soundness ?? { check: () => [] }, ...engineMemory(trace) },
  };
}

type EngineMemory = Pick<EngineSetup, 'counts' | 'memo'>;
const memories = new WeakMap<Trace, EngineMemory>();

/** Returns the engine memory of a trace, which all its runs share. */
function engineMemory(trace: Trace): EngineMemory {
  const known = memories.get(trace);
  if (known !== undefined) return known;
  const { messages } = trace.conversation;
  const made = {
    counts: new WeakMap<Message, number>(messages.map((message, index) => [message, trace.tokens[index] ?? 0])),
    memo: new Map<string, unknown>(),
  };
  memories.set(trace, made);
  return made;
}
