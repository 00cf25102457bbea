import type { CacheRules } from '../cache/rules/cache-rules.ts';
import type { ReplayResult } from '../simulate/result.ts';
import type { ReplayMetrics } from './metrics.ts';

/** How much longer sessions became after a summary, according to one study. */
const LONGER_SHARE = 0.15;

/** Returns the cost in US dollars if everything after the first event were that much longer. */
export function longerUsd({ usd, events, spent }: ReplayResult): number {
  const [first] = events;
  return first === undefined ? usd : usd + LONGER_SHARE * (usd - (spent[first.request - 1] ?? 0));
}

/**
 * Splits the cost by kind of token. Requests in a higher price tier pay more for everything, so each session's real cost is split in proportion
 * to list prices.
 */
export function splitOf(results: readonly ReplayResult[], rules: CacheRules): ReplayMetrics['split'] {
  const split = { read: 0, write: 0, uncached: 0, output: 0, auxiliary: 0 };
  for (const { total, auxiliary } of results) {
    const own = {
      read: (total.read - auxiliary.bill.read) * rules.read,
      write: (total.write - auxiliary.bill.write) * rules.write,
      uncached: total.uncached - auxiliary.bill.uncached,
      output: (total.output - auxiliary.bill.output) * rules.output,
    };
    const units = own.read + own.write + own.uncached + own.output;
    const price = units === 0 ? 0 : (total.usd - auxiliary.bill.usd) / units;
    split.read += own.read * price;
    split.write += own.write * price;
    split.uncached += own.uncached * price;
    split.output += own.output * price;
    split.auxiliary += auxiliary.bill.usd;
  }
  return split;
}
