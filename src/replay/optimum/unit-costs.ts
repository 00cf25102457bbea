import type { CallKind } from '../break-even/closed-forms.ts';
import { tierOf } from '../cache/bill.ts';
import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { OptimumOperator } from './problem.ts';

/** Prices in uncached input tokens. Where hits are uncertain, they are expected prices. */
export interface UnitCosts {
  /** Returns the price of a request of `total` tokens, of which the cache holds the first `live`. */
  request(total: number, live: number, output: number): number;
  /** Returns the price of a summary call for a context of `size` tokens. */
  call(call: SummaryCall, size: number, isWarm: boolean): number;
}

export interface SummaryCall {
  readonly kind: CallKind;
  /** Output tokens that are priced with the call. */
  readonly output: number;
}

export function unitCostsOf(rules: CacheRules): UnitCosts {
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

export interface SummaryCalls {
  /** The distinct calls. */
  readonly calls: readonly SummaryCall[];
  /** Index of each operator's call. */
  readonly callOf: readonly number[];
  /** Price of each operator's output that is not part of its call. */
  readonly rest: readonly number[];
}

/**
 * Finds the distinct calls of the operators. Without price tiers, output costs the same from every state, so it is added afterwards and at most
 * three distinct calls remain. With tiers it is part of the call.
 */
export function summaryCallsOf(rules: CacheRules, operators: readonly OptimumOperator[]): SummaryCalls {
  const hasTiers = rules.tiers.length > 0;
  const calls: SummaryCall[] = [];
  const callOf = operators.map(({ call: kind, summary }) => {
    const output = hasTiers && kind !== 'none' ? summary : 0;
    const known = calls.findIndex((call) => call.kind === kind && call.output === output);
    return known >= 0 ? known : calls.push({ kind, output }) - 1;
  });
  const rest = operators.map(({ call, summary }) => (hasTiers || call === 'none' ? 0 : rules.output * summary));
  return { calls, callOf, rest };
}
