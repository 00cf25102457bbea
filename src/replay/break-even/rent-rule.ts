/**
 * Decides when to compact without knowing the future. Carrying removable tokens is like paying rent, and an event is like buying: the rule buys
 * when the rent since the last event has reached the price of an event. docs/replay.md has the guarantees.
 */
import { tierOf } from '../cache/bill.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import {
  breakEvenRequests,
  carryingRate,
  coldCallCost,
  type EventShape,
  eventCost,
  fixedCost,
} from './closed-forms.ts';

export interface RentRule {
  readonly rules: CacheRules;
  /** The expected event: the sizes it leaves, and how it asks for the summary. */
  readonly event: Omit<EventShape, 'before'>;
  /** Largest prompt that may be sent. @default Infinity */
  readonly window?: number;
  /** Cost of an event other than money, in uncached input tokens. @default 0 */
  readonly penalty?: number;
  /**
   * Share of requests that find the cache expired, which makes carrying more expensive; `observed` counts them, starting from
   * 3 %. @default 'observed'
   */
  readonly coldShare?: number | 'observed';
  /** Tokens that an event must free. @default 1000: less is not worth a break, whatever the formula says */
  readonly minReclaim?: number;
  /** Number of requests to come; null when unknown. @default null */
  readonly remainingRequests?: number | null;
}

/** The state of the rule between requests. */
export interface RentState {
  /** Rent since the last event, in uncached tokens of input. */
  readonly paid: number;
  /** Requests sent since the last event, including the request of the event. */
  readonly sinceEvent: number;
  /** Consecutive events that freed almost nothing. */
  readonly weakEvents: number;
  readonly requests: number;
  readonly coldRequests: number;
}

/** A request that is about to be sent. */
export interface RentView {
  /** Size of the last request and its answer, which an event could shrink. */
  readonly carried: number;
  /** Tokens that this request adds; an event keeps them. */
  readonly appended: number;
  readonly isCold: boolean;
  readonly isLegalCut: boolean;
}

export type RentReason =
  /** Reasons to compact: the rent has reached the price, the cache has expired anyway, or the request would cross a price line or the window. */
  | 'rent'
  | 'cold'
  | 'tier'
  | 'window'
  /**
   * Reasons to wait: it is too early, calls are unanswered, an event would free little, one has just happened, events do not help, or the
   * session ends too soon.
   */
  | 'too-early'
  | 'open-calls'
  | 'too-little'
  | 'just-now'
  | 'no-use'
  | 'ending';

/** A decision and the figures behind it, in uncached input tokens. */
export interface RentDecision {
  readonly compact: boolean;
  readonly reason: RentReason;
  readonly excess: number;
  /** Rent paid, including this request. */
  readonly paid: number;
  /** The price that the rent is compared with. */
  readonly price: number;
  /** Cost of the event if it happens now. */
  readonly eventCost: number;
  /** Requests until the event has paid for itself. */
  readonly breakEven: number;
}

export const NO_RENT: RentState = { paid: 0, sinceEvent: 0, weakEvents: 0, requests: 0, coldRequests: 0 };

/** An event that frees less than this share of the context is weak. */
const WEAK_SHARE = 0.05;
/** After this many weak events in a row only the window can force another. */
const WEAK_LIMIT = 2;
/** Between two events lies at least one request without an event. */
const MIN_DISTANCE = 2;
const MIN_RECLAIM = 1_000;
/** Assumed share of requests that find the cache expired, and its weight as a number of observed requests. */
const PRIOR_COLD_SHARE = 0.03;
const PRIOR_WEIGHT = 50;

/** Decides whether to compact before this request, from the past only. */
export function decideRent(rule: RentRule, state: RentState, view: RentView): RentDecision {
  const { rules, window = Number.POSITIVE_INFINITY, penalty = 0, minReclaim = MIN_RECLAIM } = rule;
  const shape: EventShape = { ...rule.event, before: view.carried };
  const excess = Math.max(0, view.carried - rule.event.after);
  const rate = rateOf(rule, state);
  const cost = view.isCold ? coldCallCost(rules, shape) - rules.write * excess : eventCost(rules, shape);
  const figures = {
    excess,
    paid: state.paid + rentOf(rule, state, view),
    price: penalty + (view.isCold ? coldCallCost(rules, shape) : fixedCost(rules, shape)),
    eventCost: cost,
    breakEven: breakEvenRequests(cost, excess, rate),
  };
  const wait = (reason: RentReason): RentDecision => ({ compact: false, reason, ...figures });
  const compact = (reason: RentReason): RentDecision => ({ compact: true, reason, ...figures });

  if (excess === 0) return wait('too-little');
  if (!view.isLegalCut) return wait('open-calls');
  if (view.carried + view.appended > window) return compact('window');
  if (excess < minReclaim) return wait('too-little');
  if (state.weakEvents >= WEAK_LIMIT) return wait('no-use');
  if (state.sinceEvent < MIN_DISTANCE && state.requests > state.sinceEvent) return wait('just-now');
  const { remainingRequests = null } = rule;
  if (remainingRequests !== null && remainingRequests < figures.breakEven) return wait('ending');
  if (crossesLine(rule, view)) return compact('tier');
  if (figures.paid >= figures.price) return compact(view.isCold ? 'cold' : 'rent');
  return wait('too-early');
}

/** A request that was sent. */
export interface SentRequest extends RentView {
  /** Tokens left by an event before it; null when there was none. @default null */
  readonly leftTokens?: number | null;
}

/** Returns the state after a request was sent. */
export function afterRequest(rule: RentRule, state: RentState, sent: SentRequest): RentState {
  const { leftTokens = null } = sent;
  const requests = state.requests + 1;
  const coldRequests = state.coldRequests + (sent.isCold && state.requests > 0 ? 1 : 0);
  if (leftTokens === null) {
    const paid = state.paid + rentOf(rule, state, sent);
    return { ...state, paid, sinceEvent: state.sinceEvent + 1, requests, coldRequests };
  }
  const isWeak = sent.carried - leftTokens < WEAK_SHARE * sent.carried;
  return { paid: 0, sinceEvent: 1, weakEvents: isWeak ? state.weakEvents + 1 : 0, requests, coldRequests };
}

/** Returns the share of requests so far that found the cache expired. */
export function observedColdShare({ requests, coldRequests }: RentState): number {
  return (coldRequests + PRIOR_COLD_SHARE * PRIOR_WEIGHT) / (requests + PRIOR_WEIGHT);
}

/** Returns the cost of sending the excess once more. When the cache has expired, that is the price of writing it. */
function rentOf(rule: RentRule, state: RentState, { carried, isCold }: RentView): number {
  const excess = Math.max(0, carried - rule.event.after);
  return excess * (isCold ? rule.rules.write : rateOf(rule, state));
}

function rateOf({ rules, coldShare = 'observed' }: RentRule, state: RentState): number {
  return carryingRate(rules, coldShare === 'observed' ? observedColdShare(state) : coldShare);
}

/** Says whether this request would pay a higher price tier that an event would avoid. */
function crossesLine({ rules, event }: RentRule, { carried, appended }: RentView): boolean {
  return tierOf(rules, carried + appended).input > tierOf(rules, event.after + appended).input;
}
