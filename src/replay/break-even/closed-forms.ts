/**
 * The cost of a compaction and when it pays, by formula. Amounts are in uncached input tokens, so that they hold for every
 * model of a class; `usdOf` converts them to money.
 */

/** Prices as multiples of the input price. `CacheRules` has them. */
export interface Rates {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

/** How a summary is asked for: as the conversation plus one message, which reads the cache; as a prompt of its own; or not at all. */
export type CallKind = 'aligned' | 'unaligned' | 'none';

/** An event as sizes in tokens. */
export interface EventShape {
  readonly before: number;
  readonly after: number;
  /** Tokens at the start that stay as they were. */
  readonly stable: number;
  readonly call: CallKind;
  /** Tokens of the summary; 0 without a call. */
  readonly summary: number;
}

/** Cost of an event on top of the request, when the cache is warm. */
export function eventCost(rates: Rates, event: EventShape): number {
  return callCost(rates, event, event.before) + rewriteCost(rates, event);
}

/** The part of the cost that does not grow with the tokens removed. A rule that waits weighs it against the rent. */
export function fixedCost(rates: Rates, event: EventShape): number {
  return callCost(rates, event, event.after) + rewriteCost(rates, event);
}

/** Cost of an event when the cache is gone and everything would be written again anyway. Below zero when it saves at once. */
export function coldEventCost(rates: Rates, event: EventShape): number {
  return coldCallCost(rates, event) - rates.write * (event.before - event.after);
}

/** Cost of a summary call that finds no cache. It is never sent again, so it is not written. */
export function coldCallCost(rates: Rates, event: EventShape): number {
  return event.call === 'none' ? 0 : event.before + rates.output * event.summary;
}

/**
 * Requests until an event has paid for itself. When warm the first request after it counts, when cold the second. Below
 * zero when it has already paid; infinite when nothing was freed.
 */
export function breakEvenRequests(cost: number, freedTokens: number, carryingRate: number): number {
  if (cost === 0) return 0;
  const gain = freedTokens * carryingRate;
  return gain > 0 ? cost / gain : Number.POSITIVE_INFINITY;
}

/** Cost of carrying a token through one request, when this share of the requests finds the cache expired. */
export function carryingRate(rates: Rates, coldShare: number): number {
  return (1 - coldShare) * rates.read + coldShare * rates.write;
}

/** Requests between events at which the cost is lowest, if growth stays the same. */
export function bestInterval(fixed: number, rate: number, growth: number): number {
  return Math.sqrt((2 * fixed) / (rate * growth));
}

/** Size at which to compact so that the cost is lowest. */
export function bestTrigger(
  fixed: number,
  rate: number,
  growth: { readonly after: number; readonly perRequest: number },
): number {
  return growth.after + Math.sqrt((2 * fixed * growth.perRequest) / rate);
}

export interface Cadence {
  readonly cost: number;
  /** Size at which the event happens, and the size it leaves. */
  readonly trigger: number;
  readonly after: number;
  readonly growth: number;
  readonly rate: number;
}

/** Cost of a request in the long run: its share of an event, and the tokens it carries. The best operator has the smallest. */
export function meanCost({ cost, trigger, after, growth, rate }: Cadence): number {
  const interval = (trigger - after) / growth;
  return cost / interval + rate * (after + (growth * interval) / 2);
}

/** Savings from a token that was never added, over the remaining requests. */
export function valueOfTokenNotAdded(rates: Rates, rate: number, remainingRequests: number): number {
  return rates.write + rate * remainingRequests;
}

function callCost(rates: Rates, { call, summary }: EventShape, size: number): number {
  switch (call) {
    case 'aligned':
      return rates.read * size + rates.output * summary;
    case 'unaligned':
      return size + rates.output * summary;
    case 'none':
      return 0;
  }
}

function rewriteCost(rates: Rates, { after, stable }: EventShape): number {
  return (rates.write - rates.read) * (after - stable);
}
