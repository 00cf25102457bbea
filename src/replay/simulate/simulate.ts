import type { SoundnessRules } from '../../core/conversation/sound.ts';
import { isUserTurn } from '../../core/conversation/turns.ts';
import { heuristicCounter } from '../../core/tokens/counter.ts';
import { addBills, NO_BILL } from '../cache/bill.ts';
import { createCache } from '../cache/cache.ts';
import { seededRandom } from '../cache/random.ts';
import { truncated } from '../policies/view.ts';
import { firstChange, fixedBlock, itemsOf, tokensOf } from '../trace/blocks.ts';
import type {
  AuxiliaryCall,
  Bill,
  Cache,
  CacheRules,
  Change,
  EventRecord,
  Policy,
  PolicySetup,
  PolicyView,
  ReplayResult,
  Trace,
  TraceRequest,
  ViewItem,
} from '../types.ts';
import { eventOf } from './event.ts';
import { factsKept } from './facts.ts';
import { createRereads } from './rereads.ts';

export interface SimulateOptions {
  /** Tokens that a request may hold. */
  readonly window: number;
  /** For providers whose cache is not always found. @default 1 */
  readonly seed?: number;
  /** Counts the text that policies write; the factor of the trace is applied to it. @default the heuristic */
  readonly count?: (text: string) => number;
  /** What is sound in the format of the session, for the engine. @default everything */
  readonly soundness?: SoundnessRules;
}

/** Share of the window that is left when the window forces a cut and the policy has nothing better. */
const FORCED_SHARE = 0.5;
/** Weight of the newest request in the moving average of growth. */
const GROWTH_WEIGHT = 0.2;

/**
 * Replays a session under a policy: the recorded messages come one after the other, unchanged; before each request the policy may rewrite what is
 * there, knowing the past alone; the provider's cache bills what is sent.
 */
export async function simulate(
  trace: Trace,
  policy: Policy,
  rules: CacheRules,
  options: SimulateOptions,
): Promise<ReplayResult> {
  const { window } = options;
  const run = policy.start(setupOf(trace, rules, options));
  const cache = createCache(rules, { random: seededRandom(options.seed ?? 1) });
  const originals = itemsOf(trace);
  const { messages } = trace.conversation;
  const fixed = fixedBlock(trace.fixedTokens);
  const rereads = createRereads(trace);
  const events: EventRecord[] = [];
  const sizes: number[] = [];
  const spent: number[] = [];
  const rejected = new Map<string, number>();
  const auxiliary: Bill[] = [];
  let total = NO_BILL;
  let view: ViewItem[] = [];
  let tokens = tokensOf(fixed);
  let growth = 0;
  let lastEvent = 0;
  let failedAt: number | null = null;
  let before: TraceRequest | null = null;

  for (const [index, request] of trace.requests.entries()) {
    const sent = view.length;
    let fresh = 0;
    for (let at = request.from; at < request.to; at++) {
      const original = originals[at] as ViewItem;
      const item = run.insert?.(original, messages[at] as (typeof messages)[number]) ?? original;
      view.push(item);
      fresh += item.tokens;
    }
    tokens += fresh;
    rereads.see(request, view, trace.requests.length - index - 1);
    if (index === 1) growth = fresh;
    else if (index > 1) growth += GROWTH_WEIGHT * (fresh - growth);

    const sinceLastMs = before === null ? null : request.at - before.at;
    const isCold = sinceLastMs !== null && rules.ttlMs !== null && sinceLastMs > rules.ttlMs;
    const asked = request.isLegalCut
      ? await run.before(
          lazyHistory(
            {
              request: index,
              view,
              tokens,
              window,
              rules,
              sinceLastMs,
              isCold,
              growth,
              sinceEvent: index - lastEvent,
              events,
              isLegalCut: request.isLegalCut,
            },
            () => messages.slice(0, request.to),
          ),
        )
      : null;
    if (asked !== null && 'rejected' in asked) rejected.set(asked.rejected, (rejected.get(asked.rejected) ?? 0) + 1);
    const change = asked === null || 'rejected' in asked ? null : asked;
    const bills = (change?.calls ?? []).map((call, at) =>
      billCall(cache, call, {
        blocks: [...fixed, ...view],
        tokens,
        at: request.at,
        family: `auxiliary ${index} ${at}`,
      }),
    );
    for (const bill of bills) {
      auxiliary.push(bill);
      total = addBills(total, bill);
    }
    const settled = fitted(change, view, { window, fixedTokens: trace.fixedTokens });
    if (settled !== null) {
      const old = view.slice(0, sent);
      const changedAt = firstChange(old, settled.change.view);
      if (changedAt < sent) {
        events.push(
          eventOf({
            request: index,
            change: settled.change,
            isForced: settled.isForced,
            changedAt,
            old,
            fixedTokens: trace.fixedTokens,
            freed: tokens - tokensOf(fixed) - tokensOf(settled.change.view),
            callsUsd: bills.reduce((sum, bill) => sum + bill.usd, 0),
            isWarm: !isCold,
            rules,
            left: trace.requests.length - index,
          }),
        );
        lastEvent = index;
      }
      view = [...settled.change.view];
      tokens = tokensOf(fixed) + tokensOf(view);
    }
    if (tokens > window && failedAt === null) failedAt = index;
    const bill = cache.request([...fixed, ...view], { at: request.at, outputTokens: request.outputTokens });
    total = addBills(total, bill);
    sizes.push(tokens);
    spent.push(total.usd);
    before = request;
  }

  const prompt = total.read + total.write + total.uncached;
  const said = messages.slice(0, before?.to ?? 0);
  return {
    version: 1,
    session: trace.name,
    policy: policy.id,
    rules: rules.id,
    requests: trace.requests.length,
    userTurns: said.filter(isUserTurn).length,
    window,
    events,
    auxiliary: { calls: auxiliary.length, bill: auxiliary.reduce(addBills, NO_BILL) },
    total,
    usd: total.usd,
    peakTokens: Math.max(0, ...sizes),
    meanTokens: sizes.length === 0 ? 0 : sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    hitRatio: prompt === 0 ? 0 : total.read / prompt,
    sizes,
    spent,
    facts: factsKept(trace, view),
    rereads: rereads.found(rules),
    failedAt,
    rejected: [...rejected].map(([reason, count]) => ({ reason, count })).sort((one, other) => other.count - one.count),
  };
}

type EngineMemory = Pick<PolicySetup['engine'], 'counts' | 'memo'>;
const memories = new WeakMap<Trace, EngineMemory>();

/** One for all runs over a trace. */
function engineMemory(trace: Trace): EngineMemory {
  const known = memories.get(trace);
  if (known !== undefined) return known;
  const { messages } = trace.conversation;
  const made = {
    counts: new WeakMap(messages.map((message, index) => [message, trace.tokens[index] ?? 0])),
    memo: new Map<string, unknown>(),
  };
  memories.set(trace, made);
  return made;
}

function setupOf(trace: Trace, rules: CacheRules, options: SimulateOptions): PolicySetup {
  const { format, envelope } = trace.conversation;
  const { factor = 1 } = trace;
  const count = options.count ?? heuristicCounter.count;
  return {
    window: options.window,
    rules,
    count: factor === 1 ? count : (text) => Math.ceil(count(text) * factor),
    fixedTokens: trace.fixedTokens,
    engine: {
      format,
      envelope,
      soundness: options.soundness ?? { check: () => [] },
      ...engineMemory(trace),
    },
  };
}

/** The past, made only when it is asked for: most policies never look at it. */
function lazyHistory(view: Omit<PolicyView, 'history'>, history: () => PolicyView['history']): PolicyView {
  return Object.defineProperty({ ...view }, 'history', { get: history, enumerable: true }) as PolicyView;
}

interface Situation {
  readonly blocks: readonly ViewItem[] | readonly (ViewItem | { readonly id: string; readonly tokens: number })[];
  readonly tokens: number;
  readonly at: number;
  readonly family: string;
}

/** An aligned call is the conversation itself with an instruction behind it; any other shares no entry with it. Nobody sends either again. */
function billCall(cache: Cache, call: AuxiliaryCall, { blocks, tokens, at, family }: Situation): Bill {
  const about = { at, outputTokens: call.outputTokens, keep: false };
  if (!call.isAligned) return cache.request([{ id: family, tokens: call.inputTokens }], { ...about, family });
  const instruction = { id: family, tokens: Math.max(0, call.inputTokens - tokens) };
  return cache.request([...blocks, instruction], about);
}

/** The change a policy asks for, cut down to the window if it must be. Null when nothing changes. */
function fitted(
  change: Change | null,
  view: readonly ViewItem[],
  { window, fixedTokens }: { readonly window: number; readonly fixedTokens: number },
): { readonly change: Change; readonly isForced: boolean } | null {
  const wanted = change?.view ?? view;
  if (fixedTokens + tokensOf(wanted) <= window) return change === null ? null : { change, isForced: false };
  const room = Math.max(0, Math.floor(window * FORCED_SHARE) - fixedTokens);
  const short = truncated(wanted, room);
  if (short.length === wanted.length) return change === null ? null : { change, isForced: false };
  const reason = change === null ? 'the window is full' : `the window is full; ${change.reason}`;
  return { change: { op: 'truncate', view: short, calls: [], reason }, isForced: true };
}
