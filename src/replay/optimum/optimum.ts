/**
 * The cheapest that anyone could have done who knew the whole session, by dynamic programming. What a request costs depends on
 * the request before it and on whether its cache is alive; that is decided by recorded times, not by a policy. So if the size
 * after an event depends only on where it happens, all there is to know is the last event and its operator.
 */
import { tierOf, usdOf } from '../cache/bill.ts';
import type { CacheRules, Optimum, Trace } from '../types.ts';
import type { CallKind } from './closed-forms.ts';

/** A request as the optimum sees it: times and sizes. */
export interface OptimumRequest {
  /** Milliseconds. */
  readonly at: number;
  /** Tokens that were added since the request before; for the first also system prompt and tools. */
  readonly appended: number;
  readonly outputTokens: number;
  readonly isLegalCut: boolean;
}

/** What an event leaves, before the tokens that its request adds. */
export interface Retained {
  /** Tokens at the start that stay as they were. */
  readonly stable: number;
  readonly after: number;
}

export interface OptimumOperator {
  readonly id: string;
  readonly call: CallKind;
  /** Tokens of the summary; 0 without a call. */
  readonly summary: number;
  /** The size model: what an event before this request leaves. It knows where, not what was done before; null when it cannot be used there. */
  retained(request: number): Retained | null;
}

export interface OptimumProblem {
  readonly rules: CacheRules;
  readonly requests: readonly OptimumRequest[];
  readonly operators: readonly OptimumOperator[];
  /** Largest prompt. @default Infinity */
  readonly window?: number;
  /** What an event costs beside money (quality, time), in uncached tokens of input. It decides, but is no part of `usd`. @default 0 */
  readonly penalty?: number;
}

export interface FoundOptimum extends Optimum {
  /** Operator of each event. */
  readonly operators: readonly string[];
  /** Money in uncached tokens of input, and the same with the penalties. */
  readonly units: number;
  readonly objective: number;
}

/** The optimum; null when the window cannot be kept. */
export function findOptimum(problem: OptimumProblem): FoundOptimum | null {
  return solve(problem, null).at(-1) ?? null;
}

/** The cheapest with exactly 0, 1, 2 … events; null where there is none. Time grows with the number of events. */
export function findFrontier(problem: OptimumProblem, maxEvents: number): readonly (FoundOptimum | null)[] {
  return solve(problem, Math.max(0, Math.floor(maxEvents)));
}

/** The optimum at each penalty: the same frontier, for sessions with many events. */
export function sweepPenalty(problem: OptimumProblem, penalties: readonly number[]): readonly (FoundOptimum | null)[] {
  return penalties.map((penalty) => findOptimum({ ...problem, penalty }));
}

/** The requests of a recorded session. */
export function optimumRequestsOf(trace: Trace): readonly OptimumRequest[] {
  return trace.requests.map(({ at, from, to, outputTokens, isLegalCut }, index) => {
    let appended = index === 0 ? trace.fixedTokens : 0;
    for (let message = from; message < to; message++) appended += trace.tokens[message] ?? 0;
    return { at, appended, outputTokens, isLegalCut };
  });
}

/** An operator that always leaves the same. */
export function fixedOperator(shape: Omit<OptimumOperator, 'retained'> & Retained): OptimumOperator {
  const { id, call, summary, stable, after } = shape;
  return { id, call, summary, retained: () => ({ stable, after }) };
}

/**
 * What no policy can avoid, in uncached tokens of input: everything is written once, the start is read with every request,
 * and the answers are paid for. It is the same for all, and makes ratios look better than they are.
 */
export function unavoidableUnits(
  { rules, requests }: Pick<OptimumProblem, 'rules' | 'requests'>,
  stable: number,
): number {
  let units = 0;
  for (const [index, { appended, outputTokens }] of requests.entries())
    units += rules.write * appended + rules.output * outputTokens + (index === 0 ? 0 : rules.read * stable);
  return units;
}

/** Cost over the optimum, and the same without what nobody can avoid. */
export function ratiosTo(
  cost: number,
  optimum: number,
  unavoidable: number,
): { readonly ratio: number; readonly addressable: number } {
  return { ratio: cost / optimum, addressable: (cost - unavoidable) / (optimum - unavoidable) };
}

/** How a state was come to: the state before its event. */
interface Step {
  readonly request: number;
  readonly operator: number;
  readonly before: Step | null;
}

/**
 * With `maxEvents` null one layer holds all states; else layer e holds those with exactly e events. A state is (request of the
 * last event, its operator); `offset` + tokens so far is its size. Layers are worked through side by side, the highest first, so
 * that an event moves a state of the request before.
 */
function solve(problem: OptimumProblem, maxEvents: number | null): readonly (FoundOptimum | null)[] {
  const { rules, requests, operators, window = Number.POSITIVE_INFINITY, penalty = 0 } = problem;
  const layers = Array.from({ length: (maxEvents ?? 0) + 1 }, () => layerOf(requests.length * operators.length + 1));
  const cost = costsOf(rules);
  const { calls, callOf, rest } = callsOf(rules, operators);
  const start = layers[0];
  if (start !== undefined) add(start, { value: 0, offset: 0, step: null });

  let sofar = 0;
  for (const [index, request] of requests.entries()) {
    const before = sofar;
    sofar += request.appended;
    const last = requests[index - 1];
    const isWarm = last !== undefined && request.at - last.at <= (rules.ttlMs ?? Number.POSITIVE_INFINITY);
    const retained =
      index > 0 && request.isLegalCut
        ? operators.map((operator) => operator.retained(index))
        : operators.map(() => null);
    const hasEvents = retained.some((one) => one !== null);

    for (let count = layers.length - 1; count >= 0; count--) {
      const layer = layers[count];
      const source = maxEvents === null ? layer : layers[count - 1];
      if (layer === undefined) continue;
      // The states of the layer below are still those of the request before: it comes later in this loop.
      const cheapest = source !== undefined && hasEvents ? cheapestCalls(source, before, isWarm) : null;
      stay(layer, before, request, isWarm);
      if (cheapest === null || source === undefined) continue;
      for (const [at, kept] of retained.entries()) {
        const operator = operators[at];
        if (operator === undefined || kept === null) continue;
        const from = cheapest[callOf[at] ?? 0];
        if (from === undefined || from.value === Number.POSITIVE_INFINITY) continue;
        const total = kept.after + request.appended;
        if (total > window) continue;
        const live = isWarm ? Math.min(kept.stable, total) : 0;
        const value = from.value + (rest[at] ?? 0) + cost.request(total, live, request.outputTokens) + penalty;
        add(layer, { value, offset: kept.after - before, step: { request: index, operator: at, before: from.step } });
      }
    }
  }
  return layers.map((layer) => finish(layer));

  function stay(layer: Layer, before: number, request: OptimumRequest, isWarm: boolean): void {
    for (let state = 0; state < layer.length; state++) {
      const live = (layer.offsets[state] ?? 0) + before;
      const total = live + request.appended;
      if (total > window) layer.values[state] = Number.POSITIVE_INFINITY;
      else
        layer.values[state] = (layer.values[state] ?? 0) + cost.request(total, isWarm ? live : 0, request.outputTokens);
    }
  }

  /** For each call the state from which it is cheapest: of the past an event depends on nothing else. */
  function cheapestCalls(layer: Layer, before: number, isWarm: boolean): readonly Cheapest[] {
    return calls.map((call) => {
      let value = Number.POSITIVE_INFINITY;
      let best = -1;
      for (let state = 0; state < layer.length; state++) {
        const all = (layer.values[state] ?? 0) + cost.call(call, (layer.offsets[state] ?? 0) + before, isWarm);
        if (all < value) {
          value = all;
          best = state;
        }
      }
      return { value, step: layer.steps[best] ?? null };
    });
  }

  function finish(layer: Layer): FoundOptimum | null {
    let best = -1;
    for (let state = 0; state < layer.length; state++)
      if ((layer.values[state] ?? 0) < (layer.values[best] ?? Number.POSITIVE_INFINITY)) best = state;
    if (best < 0) return null;
    const steps: Step[] = [];
    for (let step = layer.steps[best] ?? null; step !== null; step = step.before) steps.unshift(step);
    const objective = layer.values[best] ?? 0;
    const units = objective - penalty * steps.length;
    return {
      usd: usdOf(rules, units),
      units,
      objective,
      events: steps.map((step) => step.request),
      operators: steps.map((step) => operators[step.operator]?.id ?? ''),
    };
  }
}

interface Cheapest {
  readonly value: number;
  readonly step: Step | null;
}

interface Layer {
  length: number;
  readonly values: Float64Array;
  readonly offsets: Float64Array;
  readonly steps: (Step | null)[];
}

function layerOf(capacity: number): Layer {
  return { length: 0, values: new Float64Array(capacity), offsets: new Float64Array(capacity), steps: [] };
}

function add(
  layer: Layer,
  state: { readonly value: number; readonly offset: number; readonly step: Step | null },
): void {
  layer.values[layer.length] = state.value;
  layer.offsets[layer.length] = state.offset;
  layer.steps[layer.length] = state.step;
  layer.length++;
}

interface Call {
  readonly kind: CallKind;
  /** Tokens of the answer that are priced with the call. */
  readonly output: number;
}

/**
 * The different calls of the operators. The answer costs the same from every state unless there are price lines; then it is part
 * of the call, else it is added afterwards, and there are three kinds of calls however many operators there are.
 */
function callsOf(
  rules: CacheRules,
  operators: readonly OptimumOperator[],
): { readonly calls: readonly Call[]; readonly callOf: readonly number[]; readonly rest: readonly number[] } {
  const hasTiers = rules.tiers.length > 0;
  const calls: Call[] = [];
  const callOf = operators.map(({ call: kind, summary }) => {
    const output = hasTiers && kind !== 'none' ? summary : 0;
    const known = calls.findIndex((call) => call.kind === kind && call.output === output);
    return known >= 0 ? known : calls.push({ kind, output }) - 1;
  });
  const rest = operators.map(({ call, summary }) => (hasTiers || call === 'none' ? 0 : rules.output * summary));
  return { calls, callOf, rest };
}

/** Prices in uncached tokens of input. Where hits are not certain, what can be expected. */
interface Costs {
  request(total: number, live: number, output: number): number;
  call(call: Call, size: number, isWarm: boolean): number;
}

function costsOf(rules: CacheRules): Costs {
  const { read, write, output, minTokens, granularity, hitProbability } = rules;
  const hasTiers = rules.tiers.length > 0;

  function found(live: number): number {
    const whole = granularity === 1 ? live : live - (live % granularity);
    return whole < minTokens ? 0 : whole * hitProbability;
  }

  return {
    request(total, live, outputTokens) {
      const tier = hasTiers ? tierOf(rules, total) : null;
      const hit = found(live);
      const rest = (total - hit) * (total < minTokens ? 1 : write);
      return (read * hit + rest) * (tier?.input ?? 1) + output * outputTokens * (tier?.output ?? 1);
    },
    call(call, size, isWarm) {
      if (call.kind === 'none') return 0;
      const tier = hasTiers ? tierOf(rules, size) : null;
      const hit = call.kind === 'aligned' && isWarm ? found(size) : 0;
      return (read * hit + (size - hit)) * (tier?.input ?? 1) + output * call.output * (tier?.output ?? 1);
    },
  };
}
