import { addBills } from '../cache/bill.ts';
import { firstChange, tokensOf } from '../cache/block.ts';
import type { AuxiliaryCall, Change, PolicyView } from '../policies/policy.ts';
import type { Trace, TraceRequest } from '../trace/trace.ts';
import { itemsOf, type ReplayItem } from '../view/item.ts';
import { billCall } from './auxiliary-call.ts';
import { eventOf } from './event.ts';
import { fitToWindow, type SettledChange } from './fit-to-window.ts';
import type { SimulateOptions } from './options.ts';
import { type ReplayResult, resultOf } from './result.ts';
import { type Run, startRun } from './run.ts';

/** Weight of the newest request in the moving average of growth. */
const GROWTH_WEIGHT = 0.2;

/**
 * Replays a session under one policy. The recorded messages arrive one after another, unchanged. Before each request the policy may rewrite the
 * view, knowing only the past; then the provider's cache bills the result.
 */
export async function simulate(trace: Trace, options: SimulateOptions): Promise<ReplayResult> {
  const run = startRun(trace, options);
  for (const [index, request] of trace.requests.entries()) {
    const moment = momentOf(run, index, request);
    const sent = run.view.length;
    addMessages(run, moment);
    const change = await askPolicy(run, moment);
    const callsUsd = payCalls(run, moment, change?.calls ?? []);
    const settled = fitToWindow(change, run.view, { window: options.window, fixedTokens: trace.fixedTokens });
    if (settled !== null) applyChange(run, moment, { ...settled, sent, callsUsd });
    send(run, moment);
  }
  return resultOf(run);
}

/** One request, and the pause before it. */
interface Moment {
  readonly index: number;
  readonly request: TraceRequest;
  readonly sinceLastMs: number | null;
  readonly isCold: boolean;
}

function momentOf({ trace, options }: Run, index: number, request: TraceRequest): Moment {
  const last = trace.requests[index - 1];
  const { ttlMs } = options.rules;
  const sinceLastMs = last === undefined ? null : request.at - last.at;
  return { index, request, sinceLastMs, isCold: sinceLastMs !== null && ttlMs !== null && sinceLastMs > ttlMs };
}

function addMessages(run: Run, { index, request }: Moment): void {
  const { trace, policy, view } = run;
  const originals = itemsOf(trace);
  let fresh = 0;
  for (const [at, message] of trace.conversation.messages.slice(request.from, request.to).entries()) {
    const original = originals[request.from + at] as ReplayItem;
    const item = policy.insert?.(original, message) ?? original;
    view.push(item);
    fresh += item.tokens;
  }
  run.tokens += fresh;
  run.rereads.see(request, view, trace.requests.length - index - 1);
  if (index === 1) run.growth = fresh;
  else if (index > 1) run.growth += GROWTH_WEIGHT * (fresh - run.growth);
}

async function askPolicy(run: Run, moment: Moment): Promise<Change | null> {
  if (!moment.request.isLegalCut) return null;
  const answer = await run.policy.before(policyViewOf(run, moment));
  if (answer === null || !('rejected' in answer)) return answer;
  run.rejected.set(answer.rejected, (run.rejected.get(answer.rejected) ?? 0) + 1);
  return null;
}

function policyViewOf(run: Run, { index, request, sinceLastMs, isCold }: Moment): PolicyView {
  const { trace, options } = run;
  return {
    request: index,
    view: run.view,
    tokens: run.tokens,
    window: options.window,
    rules: options.rules,
    sinceLastMs,
    isCold,
    growth: run.growth,
    sinceEvent: index - run.lastEvent,
    events: run.events,
    isLegalCut: request.isLegalCut,
    // Most policies never use the history, so it is copied only on demand.
    get history() {
      return trace.conversation.messages.slice(0, request.to);
    },
  };
}

/** Bills the calls. Returns their price in US dollars. */
function payCalls(run: Run, { index, request }: Moment, calls: readonly AuxiliaryCall[]): number {
  let usd = 0;
  for (const [at, call] of calls.entries()) {
    const bill = billCall(run.cache, call, {
      blocks: [...run.fixed, ...run.view],
      tokens: run.tokens,
      at: request.at,
      family: `auxiliary ${index} ${at}`,
    });
    run.auxiliary = { calls: run.auxiliary.calls + 1, bill: addBills(run.auxiliary.bill, bill) };
    run.total = addBills(run.total, bill);
    usd += bill.usd;
  }
  return usd;
}

interface PaidChange extends SettledChange {
  /** Items of the view that were sent before. */
  readonly sent: number;
  readonly callsUsd: number;
}

function applyChange(run: Run, { index, isCold }: Moment, { change, isForced, sent, callsUsd }: PaidChange): void {
  const { trace, options } = run;
  const { fixedTokens } = trace;
  const old = run.view.slice(0, sent);
  const changedAt = firstChange(old, change.view);
  if (changedAt < sent) {
    run.events.push(
      eventOf({
        request: index,
        change,
        isForced,
        changedAt,
        old,
        fixedTokens,
        freed: run.tokens - fixedTokens - tokensOf(change.view),
        callsUsd,
        isWarm: !isCold,
        rules: options.rules,
        left: trace.requests.length - index,
      }),
    );
    run.lastEvent = index;
  }
  run.view = [...change.view];
  run.tokens = fixedTokens + tokensOf(run.view);
}

function send(run: Run, { index, request }: Moment): void {
  if (run.tokens > run.options.window) run.failedAt ??= index;
  const { at, outputTokens } = request;
  run.total = addBills(run.total, run.cache.request([...run.fixed, ...run.view], { at, outputTokens }));
  run.sizes.push(run.tokens);
  run.spent.push(run.total.usd);
}
