/**
 * Finds the cheapest course of a session for someone who knows all of it, by dynamic programming. A request's cost depends on the request before
 * it and on whether the cache is alive, and recorded times decide the latter, not the policy. So if the size after an event depends only on its
 * place, the last event and its operator describe the whole state.
 */
import { usdOf } from '../cache/bill.ts';
import type { Optimum, OptimumProblem, OptimumRequest, Retained } from './problem.ts';
import { addState, type CheapestState, cheapestState, createStates, type States, type Step } from './states.ts';
import { type SummaryCalls, summaryCallsOf, type UnitCosts, unitCostsOf } from './unit-costs.ts';

/** Finds the optimum; null when no course keeps to the window. */
export function findOptimum(problem: OptimumProblem): Optimum | null {
  return solve(problem, null).at(-1) ?? null;
}

/** Finds the cheapest courses with exactly 0, 1, 2 … `maxEvents` events; null where there is none. Time grows with the number of events. */
export function findFrontier(problem: OptimumProblem, maxEvents: number): readonly (Optimum | null)[] {
  return solve(problem, Math.max(0, Math.floor(maxEvents)));
}

/** Finds the optimum at each penalty, which gives the frontier for sessions with many events. */
export function sweepPenalty(problem: OptimumProblem, penalties: readonly number[]): readonly (Optimum | null)[] {
  return penalties.map((penalty) => findOptimum({ ...problem, penalty }));
}

interface Search extends Required<OptimumProblem> {
  readonly costs: UnitCosts;
  readonly summaryCalls: SummaryCalls;
}

/** One request, and the choices before it. */
interface Moment {
  readonly index: number;
  readonly request: OptimumRequest;
  /** Tokens that all requests before it added. */
  readonly before: number;
  readonly isWarm: boolean;
  /** Sizes that each operator would leave; null where it cannot be used. */
  readonly retained: readonly (Retained | null)[];
}

/** Finds the cheapest courses. With `maxEvents` null, one layer holds all states; otherwise layer e holds those with exactly e events. */
function solve(problem: OptimumProblem, maxEvents: number | null): readonly (Optimum | null)[] {
  const search = searchOf(problem);
  const capacity = search.requests.length * search.operators.length + 1;
  const layers = Array.from({ length: (maxEvents ?? 0) + 1 }, () => createStates(capacity));
  const [start] = layers;
  if (start !== undefined) addState(start, { value: 0, offset: 0, step: null });
  for (const moment of momentsOf(search)) {
    const mayCut = moment.retained.some((one) => one !== null);
    // The highest layer comes first, so that the layer below it still holds the states before this request.
    for (const [count, layer] of [...layers.entries()].reverse()) {
      const source = maxEvents === null ? layer : layers[count - 1];
      const cheapest = source !== undefined && mayCut ? cheapestCalls(search, source, moment) : null;
      carryOn(search, layer, moment);
      if (cheapest !== null) addEvents(search, layer, { ...moment, cheapest });
    }
  }
  return layers.map((layer) => bestOf(search, layer));
}

function searchOf(problem: OptimumProblem): Search {
  const { rules, operators } = problem;
  return {
    window: Number.POSITIVE_INFINITY,
    penalty: 0,
    ...problem,
    costs: unitCostsOf(rules),
    summaryCalls: summaryCallsOf(rules, operators),
  };
}

function* momentsOf({ rules, requests, operators }: Search): Generator<Moment> {
  let before = 0;
  for (const [index, request] of requests.entries()) {
    const last = requests[index - 1];
    const isWarm = last !== undefined && request.at - last.at <= (rules.ttlMs ?? Number.POSITIVE_INFINITY);
    const mayCut = index > 0 && request.isLegalCut;
    const retained = operators.map((operator) => (mayCut ? operator.retained(index) : null));
    yield { index, request, before, isWarm, retained };
    before += request.appended;
  }
}

/** Finds for each call the state from which it is cheapest, because an event depends on nothing else in the past. */
function cheapestCalls(
  { costs, summaryCalls }: Search,
  states: States,
  { before, isWarm }: Moment,
): readonly CheapestState[] {
  return summaryCalls.calls.map((call) => cheapestState(states, (offset) => costs.call(call, offset + before, isWarm)));
}

/** Lets every state send the request unchanged. */
function carryOn({ costs, window }: Search, states: States, { before, request, isWarm }: Moment): void {
  const { values, offsets } = states;
  for (let state = 0; state < states.length; state++) {
    const live = (offsets[state] ?? 0) + before;
    const total = live + request.appended;
    if (total > window) values[state] = Number.POSITIVE_INFINITY;
    else values[state] = (values[state] ?? 0) + costs.request(total, isWarm ? live : 0, request.outputTokens);
  }
}

/** Adds an event with each operator before the request, from the state in which its call is cheapest. */
function addEvents(
  { costs, summaryCalls: { callOf, rest }, window, penalty }: Search,
  states: States,
  { index, request, before, isWarm, retained, cheapest }: Moment & { readonly cheapest: readonly CheapestState[] },
): void {
  for (const [operator, kept] of retained.entries()) {
    const from = cheapest[callOf[operator] ?? 0];
    if (kept === null || from === undefined || from.value === Number.POSITIVE_INFINITY) continue;
    const total = kept.after + request.appended;
    if (total > window) continue;
    const live = isWarm ? Math.min(kept.stable, total) : 0;
    const value = from.value + (rest[operator] ?? 0) + costs.request(total, live, request.outputTokens) + penalty;
    addState(states, { value, offset: kept.after - before, step: { request: index, operator, before: from.step } });
  }
}

function bestOf({ rules, operators, penalty }: Search, states: States): Optimum | null {
  const { value: objective, step: last } = cheapestState(states, () => 0);
  if (objective === Number.POSITIVE_INFINITY) return null;
  const steps: Step[] = [];
  for (let step = last; step !== null; step = step.before) steps.unshift(step);
  const units = objective - penalty * steps.length;
  return {
    usd: usdOf(rules, units),
    units,
    objective,
    events: steps.map((step) => step.request),
    operators: steps.map((step) => operators[step.operator]?.id ?? ''),
  };
}
