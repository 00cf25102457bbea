import { PrecisError } from '../../core/errors.ts';
import { type Bill, billOf } from './bill.ts';
import type { Block } from './block.ts';
import { createPrefixes, type Prefix, type Prefixes } from './prefixes.ts';
import type { CacheRules } from './rules/cache-rules.ts';
import { seededRandom } from './seeded-random.ts';

/** A provider's prompt cache, which bills one request after another. */
export interface Cache {
  /** The rules it follows. */
  readonly rules: CacheRules;
  /** Bills a request and remembers its prefixes. */
  request(blocks: readonly Block[], details: RequestDetails): Bill;
}

/** One request as the cache sees it. */
export interface RequestDetails {
  /** Milliseconds, on the same clock for all requests. */
  readonly at: number;
  /** Tokens of the answer. */
  readonly outputTokens: number;
  /** Requests of different families (another model, other tools) never share an entry. @default '' */
  readonly family?: string;
  /** False to write nothing, as for a call whose prefix is never sent again. @default true */
  readonly keep?: boolean;
  /** Indexes of the blocks that end a prefix to keep. @default the first block and the last ones, as agents set them */
  readonly breakpoints?: readonly number[];
}

/** Options of `createCache`. */
export interface CacheOptions {
  /**
   * The source of chance, for providers that do not guarantee hits. It returns a number from 0 to below 1, and is called once for each request,
   * even when there is nothing to find, so that policies with the same seed have the same luck. @default a generator with a fixed seed
   */
  readonly random?: () => number;
}

/** Creates an empty cache that follows these rules. Use it to bill your own requests. */
export function createCache(rules: CacheRules, options: CacheOptions = {}): Cache {
  const random = options.random ?? seededRandom(1);
  const families = new Map<string, Prefixes>();
  const ttl = rules.ttlMs ?? Number.POSITIVE_INFINITY;
  const mayMiss = rules.hitProbability < 1;

  return {
    rules,
    request(blocks, details) {
      const { at, keep = true, family = '' } = details;
      const prefixes = families.get(family) ?? createPrefixes();
      families.set(family, prefixes);
      const sizes = sizesOf(blocks);
      const total = sizes.at(-1) ?? 0;
      const places = breakpointsOf(rules, blocks.length, details);
      const isLucky = !mayMiss || random() < rules.hitProbability;

      const path = prefixes.walk(blocks, at);
      const hit = isLucky ? longestLive({ rules, known: path, blocks, sizes, places, at }) : -1;
      const read = hit < 0 ? 0 : stepDown(rules, sizes[hit] ?? 0);
      const lastPlace = places === null ? blocks.length - 1 : (places.at(-1) ?? -1);
      const kept = keep ? (sizes[lastPlace] ?? 0) : 0;
      const write = rules.write === 1 || kept < rules.minTokens ? 0 : Math.max(0, kept - read);

      if (keep) prefixes.keep(blocks, path, at);
      if (places === null) for (let place = 0; place < path.length; place++) renew(place);
      else for (const place of places) renew(place);
      if (rules.refreshOnHit && hit >= 0) extend(path[hit], at + ttl);
      if (keep) prefixes.sweep(at);
      return billOf(rules, { read, write, uncached: total - read - write, output: details.outputTokens });

      /** Refreshes a prefix that was read, where the rules say so, and writes a prefix after the hit. */
      function renew(place: number): void {
        const prefix = path[place];
        if (prefix === undefined || (sizes[place] ?? 0) < rules.minTokens) return;
        const isRead = place <= hit && prefix.expiresAt >= at;
        if (isRead ? rules.refreshOnHit : keep) extend(prefix, at + ttl);
      }
    },
  };
}

function extend(prefix: Prefix | undefined, until: number): void {
  if (prefix !== undefined && prefix.expiresAt < until) prefix.expiresAt = until;
}

interface Lookup {
  readonly rules: CacheRules;
  readonly known: readonly Prefix[];
  readonly blocks: readonly Block[];
  readonly sizes: readonly number[];
  readonly places: readonly number[] | null;
  readonly at: number;
}

/** Returns the index of the block that ends the longest cached prefix; -1 for none. An entry lives up to and including its last millisecond. */
function longestLive({ rules, known, blocks, sizes, places, at }: Lookup): number {
  const isHit = (index: number): boolean =>
    (known[index]?.expiresAt ?? Number.NEGATIVE_INFINITY) >= at &&
    stepDown(rules, sizes[index] ?? 0) >= Math.max(rules.minTokens, 1);
  const lookback = rules.lookbackBlocks ?? Number.POSITIVE_INFINITY;
  let best = -1;
  for (const place of places ?? [blocks.length - 1]) {
    let looked = 0;
    for (let index = place; index > best && looked < lookback; index--) {
      if (isHit(index)) best = index;
      looked += blocks[index]?.parts ?? 1;
    }
  }
  return best;
}

function stepDown(rules: CacheRules, tokens: number): number {
  return tokens - (tokens % rules.granularity);
}

/**
 * Returns where a request asks for entries: the places it names, or the first block (system prompt and tools) and the last ones. When there are
 * more than allowed, the last count. Null when every prefix is kept.
 */
function breakpointsOf(
  { writeBreakpoints }: CacheRules,
  length: number,
  { breakpoints }: RequestDetails,
): readonly number[] | null {
  if (writeBreakpoints === null) return null;
  if (breakpoints !== undefined) {
    const wrong = breakpoints.find((place) => !Number.isInteger(place) || place < 0 || place >= length);
    if (wrong !== undefined)
      throw new PrecisError(
        'bad-option',
        `Expected \`breakpoints\` to be indexes of ${length} blocks, got \`${wrong}\``,
      );
    const places = [...new Set(breakpoints)].sort((first, second) => first - second);
    return places.slice(Math.max(0, places.length - writeBreakpoints));
  }
  if (length === 0 || writeBreakpoints === 0) return [];
  const behind = Math.max(1, writeBreakpoints - 1);
  const places = Array.from({ length: Math.min(behind, length) }, (_, back) => length - 1 - back).reverse();
  return writeBreakpoints > 1 && places[0] !== 0 ? [0, ...places] : places;
}

function sizesOf(blocks: readonly Block[]): readonly number[] {
  let sum = 0;
  return blocks.map((block) => {
    sum += block.tokens;
    return sum;
  });
}
