/**
 * Formulas for the cost of a compaction and when it pays for itself. Amounts are in uncached input tokens, so that they hold for every model of
 * a class; `usdOf` converts them to money.
 */

/** Prices as multiples of the input price. `CacheRules` has them. */
export interface Rates {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

/** How a policy asks for a summary: as the conversation plus one message, which reads the cache; as a prompt of its own; or not at all. */
export type CallKind = 'aligned' | 'unaligned' | 'none';

/** The sizes of an event, in tokens. */
export interface EventShape {
  readonly before: number;
  readonly after: number;
  /** Tokens at the start that do not change. */
  readonly stable: number;
  readonly call: CallKind;
  /** Tokens of the summary; 0 without a call. */
  readonly summary: number;
}

/** Returns the cost of an event in addition to the request, when the cache is warm. */
export function eventCost(rates: Rates, event: EventShape): number {
  return callCost(rates, event, event.before) + rewriteCost(rates, event);
}

/** Returns the part of the cost that does not grow with the tokens removed. The rent rule weighs it against the rent. */
export function fixedCost(rates: Rates, event: EventShape): number {
  return callCost(rates, event, event.after) + rewriteCost(rates, event);
}

/** Returns the cost of an event when the cache has expired and everything is written again anyway. Negative when it saves at once. */
export function coldEventCost(rates: Rates, event: EventShape): number {
  return coldCallCost(rates, event) - rates.write * (event.before - event.after);
}

/** Returns the cost of a summary call that finds no cache. The call is never sent again, so it is not written. */
export function coldCallCost(rates: Rates, event: EventShape): number {
  return event.call === 'none' ? 0 : event.before + rates.output * event.summary;
}

/**
 * Returns the requests until an event has paid for itself. Warm, the first request after it counts; cold, the second. Negative when it has
 * already paid; infinite when it freed nothing.
 */
export function breakEvenRequests(cost: number, freedTokens: number, carryingRate: number): number {
  if (cost === 0) return 0;
  const gain = freedTokens * carryingRate;
  return gain > 0 ? cost / gain : Number.POSITIVE_INFINITY;
}

/** Returns the cost of carrying a token through one request, when this share of the requests finds the cache expired. */
export function carryingRate(rates: Rates, coldShare: number): number {
  return (1 - coldShare) * rates.read + coldShare * rates.write;
}

/** Returns the requests between events at which the cost is lowest, if growth stays the same. */
export function bestInterval(fixed: number, rate: number, growth: number): number {
  return Math.sqrt((2 * fixed) / (rate * growth));
}

/** Returns the size at which compacting costs least. */
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

/** Returns the mean cost of a request: its share of an event, and the tokens it carries. The best operator has the lowest. */
export function meanCost({ cost, trigger, after, growth, rate }: Cadence): number {
  const interval = (trigger - after) / growth;
  return cost / interval + rate * (after + (growth * interval) / 2);
}

/** Returns the savings from a token that was never added, over the remaining requests. */
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
